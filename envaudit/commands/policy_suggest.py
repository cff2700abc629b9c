"""``envaudit policy suggest SNAP…``: rules that the snapshots speak for, as a policy to commit."""

from collections.abc import Iterator, Sequence

from envaudit.commands.judging import Bench
from envaudit.commands.surroundings import Surroundings, read_subject
from envaudit.core.suggest import Suggestion, suggest
from envaudit.core.toml_text import table
from envaudit.exits import Exit
from envaudit.model.report import Report


def run(surroundings: Surroundings, bench: Bench, *, references: Sequence[str]) -> Report:
    """Propose a ``compare`` rule for siblings that stood together in every snapshot given.

    Raises:
        EnvauditError: a snapshot or a policy cannot be read.
    """
    snapshots = [read_subject(reference, surroundings).snapshot for reference in references]
    found = suggest(snapshots, bench.policies(surroundings))
    notes = () if found else ("no siblings were found that neither metadata nor a rule ties",)
    return Report(
        command="policy suggest",
        exit=Exit.PASS,
        lines=tuple(_policy(found, surroundings, len(references))) if found else (),
        notes=notes,
        data={
            "suggestions": [
                {
                    "repository": item.repository,
                    "members": list(item.members),
                    "versions": list(item.versions),
                    "moved": item.moved,
                }
                for item in found
            ]
        },
    )


def _policy(
    found: Sequence[Suggestion], surroundings: Surroundings, snapshots: int
) -> Iterator[str]:
    """Yield the lines of a policy file."""
    header = table("[policy]", {"name": "suggested", "reviewed": surroundings.today()})
    yield from header.splitlines()
    for item in found:
        yield ""
        seen = "moved together" if item.moved else "stood together, and never moved,"
        yield f"# They {seen} in {snapshots} snapshot{'' if snapshots == 1 else 's'}."
        yield from _rule(item).splitlines()


def _rule(item: Suggestion) -> str:
    rule = table(
        "[[rule]]",
        {
            "id": f"{item.members[0]}-together",
            "compare": " == ".join(f"full({name})" for name in item.members),
            "severity": "warning",
            "reason": f"they are built from {item.repository} and released together",
            "sources": (item.repository,),
        },
    )
    latest = item.versions[-1]
    examples = table(
        "[[rule.example]]",
        {"installed": tuple(f"{name}=={latest}" for name in item.members), "verdict": "pass"},
    )
    earlier = next((version for version in item.versions if version != latest), None)
    if earlier is not None:
        first, *others = item.members
        pins = (f"{first}=={earlier}", *(f"{name}=={latest}" for name in others))
        examples += "\n" + table("[[rule.example]]", {"installed": pins, "verdict": "warning"})
    return f"{rule}\n{examples}"
