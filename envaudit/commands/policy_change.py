"""``envaudit policy add`` and ``waive``: one more table in the first policy file of one's own."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from itertools import count
from pathlib import Path

from envaudit.commands.judging import Bench
from envaudit.commands.surroundings import Surroundings
from envaudit.core.evaluate import waivable_codes
from envaudit.core.toml_text import Value, table
from envaudit.doors import disk
from envaudit.effects import policy_edit
from envaudit.exits import Exit
from envaudit.model.errors import PolicyError, Problem, UsageError
from envaudit.model.policy import Policy, Rule
from envaudit.model.report import Report
from envaudit.readers.policies import is_builtin, load_policies
from envaudit.readers.policy_file import LIMIT, parse_policy
from envaudit.rules import KINDS

_FIRST = "policy.toml"
"""What the first file in a folder without any is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRule:
    """A rule in the words of a command line."""

    compare: str
    reason: str
    identity: str | None = None
    """``None``: made of the names in ``compare``."""
    sources: tuple[str, ...] = ()
    severity: str | None = None
    when: tuple[str, ...] = ()


def add(surroundings: Surroundings, bench: Bench, rule: NewRule) -> Report:
    """Write a rule into the first policy file that is configured or named; never into the pack.

    Raises:
        EnvauditError: there is no such file, it does not load, or the rule makes no sense.
    """

    def write(policies: tuple[Policy, ...]) -> dict[str, Value]:
        known = frozenset(_ids(policies))
        values: dict[str, Value] = {
            "id": _free(rule.compare, known) if rule.identity is None else rule.identity,
            "compare": rule.compare,
            "reason": rule.reason,
        }
        if values["id"] in known:
            raise UsageError(
                Problem(
                    message=f"there is a rule with the id `{rule.identity}` already",
                    hint="name another id with `--id`, or look at it with `envaudit policy show`",
                )
            )
        if rule.sources:
            values["sources"] = rule.sources
        if rule.severity is not None:
            values["severity"] = rule.severity
        if rule.when:
            values["when"] = rule.when
        return values

    return _change(surroundings, bench, "rule", write, "policy add")


def waive(
    surroundings: Surroundings,
    bench: Bench,
    *,
    identity: str,
    until: str,
    reason: str,
    distributions: Sequence[str] = (),
) -> Report:
    """Write a waiver of a rule, or of a check's code, into the first policy file of one's own.

    Raises:
        EnvauditError: nothing has that id, the day has passed, or there is no file to write to.
    """
    day = _day(until)
    if day < surroundings.today():
        raise UsageError(
            Problem(
                message=f"{day.isoformat()} has passed: the waiver would waive nothing",
                hint="name a day to come with `--until`",
            )
        )

    def write(policies: tuple[Policy, ...]) -> dict[str, Value]:
        known = [*_ids(policies), *sorted(waivable_codes())]
        if identity in KINDS:
            raise UsageError(
                Problem(
                    message=f"`{identity}` is what a kind of rules finds, and not one rule",
                    hint="waive the one rule by its id, which the finding names: `rule: ID, FILE`",
                )
            )
        if identity not in known:
            near = get_close_matches(identity, known, n=1)
            raise UsageError(
                Problem(
                    message=f"no rule has the id `{identity}`, and no check that code",
                    hint=f"did you mean `{near[0]}`?" if near else "`envaudit policy list`",
                )
            )
        values: dict[str, Value] = {"rule": identity, "until": day, "reason": reason}
        if distributions:
            values["distributions"] = tuple(distributions)
        return values

    return _change(surroundings, bench, "waiver", write, "policy waive")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(
            Problem(
                message=f"`{text}` is not a day",
                hint="name the last one as year, month and day: `--until 2027-03-31`",
            )
        ) from None


def _free(compare: str, known: frozenset[str]) -> str:
    """Make an id of the names that an expression compares, one that no rule has."""
    names = re.findall(r"[A-Za-z][\w.-]*(?![\w.(-])", compare)
    made = "-".join(dict.fromkeys(re.sub(r"[-_.]+", "-", name).lower() for name in names))
    return next(
        name
        for number in count(1)
        if (name := made if number == 1 else f"{made}-{number}") not in known
    )


def _ids(policies: Iterable[Policy]) -> list[str]:
    return [rule.reference.id for policy in policies for rule in policy.rules]


def _change(
    surroundings: Surroundings,
    bench: Bench,
    kind: str,
    write: Callable[[tuple[Policy, ...]], Mapping[str, Value]],
    command: str,
) -> Report:
    path = _own_file(surroundings, bench)
    if is_builtin(path):
        raise UsageError(
            Problem(
                message=f"`{path}` is of the built-in pack, which stays as it is",
                hint="name a policy file of your own with `--policy`",
            )
        )
    text = _text(path)
    own = _parsed(text, path)
    others = load_policies(_others(surroundings, bench, path), builtin=bench.builtin)
    values = write((*others, *own))
    _refuse_inline(text, kind, path)
    changed = policy_edit.with_table(text, kind, values)
    (policy,) = _parsed(changed, path)
    if kind == "rule":
        _refuse_repeated(policy.rules[-1], (*others, *own))
    policy_edit.keep_policy(path, changed)
    addition = table(f"[[{kind}]]", values)
    return Report(
        command=command,
        exit=Exit.PASS,
        lines=(f"written to {path}:", *(f"  {line}" for line in addition.splitlines())),
        data={"file": str(path), "kind": kind, "text": addition},
    )


def _refuse_inline(text: str, kind: str, path: Path) -> None:
    """Refuse a file that writes its tables as one array, which TOML does not let anybody extend."""
    if not re.search(rf"^[ \t]*\[\[[ \t]*{kind}[ \t]*\]\]", text, re.MULTILINE) and re.search(
        rf"^[ \t]*{kind}[ \t]*=[ \t]*\[", text, re.MULTILINE
    ):
        raise PolicyError(
            Problem(
                message=f"`{path}` writes `{kind}` as one array, which no table can be added to",
                at=str(path),
                hint=f"write its items as `[[{kind}]]` tables, or name another file",
            )
        )


def _refuse_repeated(new: Rule, policies: Iterable[Policy]) -> None:
    """Refuse a rule that says what another one says already."""
    for policy in policies:
        for rule in policy.rules:
            if rule.kind.summary.split() == new.kind.summary.split():
                raise UsageError(
                    Problem(
                        message=f"the rule `{rule.reference.id}` says the same already",
                        at=f"{rule.reference.file}:{rule.reference.line}",
                        hint=f"look at it with `envaudit policy show {rule.reference.id}`",
                    )
                )


def _parsed(text: str, path: Path) -> tuple[Policy, ...]:
    problems: list[Problem] = []
    policy = parse_policy(text.encode(), str(path), problems)
    if policy is None:
        raise PolicyError(*problems)
    return (policy,)


def _named(surroundings: Surroundings, bench: Bench) -> tuple[Path, ...]:
    """Return the files and folders of one's own, the ones on the command line first."""
    configurations = reversed(bench.configurations(surroundings))
    return (
        *(surroundings.folder / path for path in bench.paths),
        *(Path(path) for item in configurations for path in item.policies),
    )


def _own_file(surroundings: Surroundings, bench: Bench) -> Path:
    """Return the first policy file: a file that is named, or the first one of a folder.

    What is not there and has no ending (``policies/``) is a folder that is about to be made.
    """
    for path in _named(surroundings, bench):
        if disk.is_folder(path):
            return disk.real_path(next(iter(_files_of(path)), path / _FIRST))
        if not path.suffix and not disk.has_entry(path):
            return disk.real_path(path / _FIRST)
        return disk.real_path(path)
    raise UsageError(
        Problem(
            message="no policy file of your own is configured, and the built-in ones stay as is",
            hint='name one with `--policy FILE`, or in `envaudit.toml`: policies = ["team.toml"]',
        )
    )


def _others(surroundings: Surroundings, bench: Bench, path: Path) -> tuple[Path, ...]:
    """Return what else is in force; a file that is about to be made is not there yet."""
    files = [
        file
        for named in _named(surroundings, bench)
        for file in (_files_of(named) if disk.is_folder(named) else (named,))
    ]
    return tuple(file for file in files if disk.real_path(file) not in {path, path.parent})


def _files_of(folder: Path) -> tuple[Path, ...]:
    with disk.open_folder(folder) as opened:
        return tuple(folder / name for name in opened.names() if name.endswith(".toml"))


def _text(path: Path) -> str:
    """Return the file's text; of one that is not there, a header to begin with."""
    try:
        return disk.read_file(path, limit=LIMIT).decode()
    except disk.AbsentError:
        return table("[policy]", {"name": path.stem})
    except disk.DiskError as error:
        reason = error.reason
    except UnicodeDecodeError:
        reason = "is not UTF-8"
    raise PolicyError(
        Problem(
            message=f"policy `{path}` {reason}: nothing is written to it",
            at=str(path),
            hint="name a policy file of your own with `--policy`",
        )
    )
