"""The check ``editable-dangling``: an editable distribution whose source tree is gone."""

from envaudit.checks.remedies import some
from envaudit.model.finding import Explanation, Finding, Remove, Severity
from envaudit.model.layout import Scope
from envaudit.model.subject import Subject

CODE = "editable-dangling"

EXPLANATION = Explanation(
    code=CODE,
    meaning="A distribution is installed as an editable one, and what it leads to is not there.",
    why=(
        "Importing it fails. Its record is whole and its requirements are met, so every checker "
        "says that all is well, and installing it again by name does nothing."
    ),
    repair=(
        "Install it from where the source tree is now, `uv pip install -e PATH`, or uninstall it: "
        "`uv pip uninstall NAME`."
    ),
)


class EditableDangling:
    """Judges where editable distributions lead."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return an error for each editable distribution of which a target is not there."""
        return tuple(
            Finding(
                code=CODE,
                severity=Severity.ERROR,
                distributions=(record.name,),
                message=f"`{record.label}` is imported from `{record.editable.dangling[0]}`, "
                "which is not there",
                evidence=some(record.editable.dangling[1:]),
                remedies=(
                    (Remove(name=record.name),)
                    if record.owner is None and record.scope is Scope.OWN
                    else ()
                ),
            )
            for record in subject.snapshot.distributions
            if record.editable is not None and record.editable.dangling
        )
