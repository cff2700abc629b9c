"""The check ``generated-code-newer``: generated code that wants a later runtime than is there."""

from collections.abc import Iterator

from envaudit.checks.remedies import know
from envaudit.model.declared import parse_version
from envaudit.model.files import Generated
from envaudit.model.finding import Explanation, Finding, Place, Severity
from envaudit.model.subject import Subject

CODE = "generated-code-newer"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A distribution ships code that a later protobuf or gRPC generated than is installed.",
    why=(
        "Such code checks the runtime when it is imported, and refuses an older one. What the "
        "distribution declares is often looser than what its generated code wants."
    ),
    repair="Raise the runtime inside the same major version, `uv pip install 'protobuf>=…,<…'`.",
)


class GeneratedCode:
    """Judges generated code against the runtimes that are installed."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an error for each distribution whose generated code the runtime refuses."""
        if subject.files is None:
            return ()
        return tuple(
            finding
            for generated in subject.files.generated
            for finding in _judge(generated, subject)
        )


def _judge(generated: Generated, subject: Subject) -> Iterator[Finding]:
    runtimes = subject.installed.get(generated.runtime, ())
    record = know(generated.folder, subject.snapshot.by_folder())
    needed = parse_version(generated.version)
    present = [found for one in runtimes if (found := parse_version(one.version)) is not None]
    if needed is None or not present or min(present) >= needed or record.name == generated.runtime:
        return
    yield Finding(
        code=CODE,
        severity=Severity.ERROR,
        distributions=tuple(sorted({record.name, generated.runtime} - {""})),
        message=(
            f"`{record.label}` has code that {generated.runtime} {needed} generated, and "
            f"{min(present)} is installed"
        ),
        evidence=(f"path: {generated.path}",),
        remedies=(
            Place(
                name=generated.runtime,
                specifier=f">={needed},<{needed.major + 1}",
                up=True,
            ),
        ),
    )
