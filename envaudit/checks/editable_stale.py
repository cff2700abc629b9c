"""The check ``editable-stale``: an editable's source tree declares other things than its record."""

import shlex
from collections.abc import Iterable, Iterator

from packaging.utils import canonicalize_name

from envaudit.model.declared import named_extras, parse_requirement, parse_version
from envaudit.model.distribution import Distribution, Tree
from envaudit.model.finding import Explanation, Finding, Severity
from envaudit.model.subject import Subject

CODE = "editable-stale"

EXPLANATION = Explanation(
    code=CODE,
    meaning=(
        "The source tree of an editable distribution declares another version, or other "
        "requirements, than were recorded when it was installed."
    ),
    why=(
        "The code is that of today, the metadata is frozen: what it has come to require nobody "
        "installed, and no checker looks for it. Another version alone is an info. What a build "
        "computes (versions from tags) is not compared."
    ),
    repair="Install it once more from its tree: `uv pip install -e PATH`.",
)


class EditableStale:
    """Judges the records of editable distributions against their source trees."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return a warning where requirements differ, and an info where only the version does."""
        return tuple(
            finding
            for record in subject.snapshot.distributions
            if record.editable is not None and record.editable.tree is not None
            for finding in _judge(record, record.editable.tree)
        )


def _judge(record: Distribution, tree: Tree) -> Iterator[Finding]:
    differing = tuple(_differences(record.requires or (), tree.requires or ()))
    if tree.requires is None or record.requires is None:
        differing = ()
    version = tree.version if tree.version is not None else record.version
    moved = parse_version(version) != parse_version(record.version)
    if not moved and not differing:
        return
    what = [f"is {version} by now"] if moved else []
    what += ["requires other things by now"] if differing else []
    yield Finding(
        code=CODE,
        severity=Severity.WARNING if differing else Severity.INFO,
        distributions=(record.name,),
        message=f"`{record.label}` is an editable, and its source tree {' and '.join(what)}",
        evidence=(
            *differing,
            f"by hand, since it builds the tree: `uv pip install -e {shlex.quote(tree.path)}`",
        ),
    )


def _differences(recorded: Iterable[str], declared: Iterable[str]) -> Iterator[str]:
    """Yield each line that only one side has, lines of extras left out."""
    before = {_plain(line): line for line in recorded if not named_extras(line)}
    now = {_plain(line): line for line in declared}
    for key in sorted(now.keys() - before.keys()):
        yield f"required now: {now[key]}"
    for key in sorted(before.keys() - now.keys()):
        yield f"required no more: {before[key]}"


def _plain(line: str) -> str:
    """Return a requirement in the one spelling that all backends' spellings come down to."""
    requirement = parse_requirement(line)
    if requirement is None:
        return " ".join(line.split())
    extras = ",".join(sorted(canonicalize_name(extra) for extra in requirement.extras))
    rest = f"{requirement.specifier}@{requirement.url or ''};{requirement.marker or ''}"
    return f"{canonicalize_name(requirement.name)}[{extras}]{rest}"
