"""The checks on names of modules: shadowed ones, letter case, and split namespaces."""

from collections.abc import Iterator

from envaudit.checks.remedies import Record, know
from envaudit.model.files import Files, Module
from envaudit.model.finding import Explanation, Finding, Remedy, Remove, Severity
from envaudit.model.layout import EnvironmentKind, Scope
from envaudit.model.standard_library import module_names
from envaudit.model.subject import Subject

EXPLANATIONS = (
    Explanation(
        code="module-shadowed",
        meaning=(
            "Two distributions bring modules of one name, a package and a single file, or one "
            "brings a module with a name of the standard library."
        ),
        why=(
            "Only one can be imported: a package comes before a file, and the standard library "
            "before what is installed, unless the site directory is put first (`PYTHONPATH`, "
            "function-as-a-service layouts). Then even Python itself breaks."
        ),
        repair="Uninstall the one that is not wanted; backports of the standard library are not.",
    ),
    Explanation(
        code="module-casefold",
        meaning="Two modules have names that differ in letter case alone.",
        why=(
            "On a disk that does not tell upper from lower case, one lands inside the other, and "
            "one of the two imports fails."
        ),
        repair="Uninstall both, and install the one that is wanted.",
    ),
    Explanation(
        code="namespace-split",
        meaning=(
            "A package without `__init__.py` is spread over several folders of the import path, "
            "and in another of them it has one."
        ),
        why="Python imports the one with `__init__.py`, and does not find what the others hold.",
        repair="Take the folder with `__init__.py` off the import path, or remove that file.",
    ),
)


class Modules:
    """Judges the names under which things can be imported."""

    def judge(self, subject: Subject) -> tuple[Finding, ...]:
        """Return what is hidden by something else, or may be on another disk."""
        if subject.files is None:
            return ()
        return (
            *_shadowed(subject, subject.files),
            *_standard(subject, subject.files),
            *_casefolded(subject, subject.files),
            *_split(subject.files),
        )


def _records(module: Module, subject: Subject) -> list[Record]:
    distributions = subject.snapshot.by_folder()
    return [know(folder, distributions) for folder in module.owners]


def _labels(records: list[Record]) -> str:
    return " and ".join(sorted({f"`{record.label}`" for record in records}))


def _names(records: list[Record]) -> tuple[str, ...]:
    return tuple(sorted({record.name for record in records if record.name}))


def _shadowed(subject: Subject, files: Files) -> Iterator[Finding]:
    groups: dict[tuple[str, str], list[Module]] = {}
    for module in files.modules:
        groups.setdefault((module.site, module.name), []).append(module)
    for _, modules in sorted(groups.items()):
        owned = [module for module in modules if module.owners]
        if len(owned) < 2 or set.intersection(*(set(one.owners) for one in owned)):  # noqa: PLR2004 - one hides nothing
            continue
        first, *hidden = sorted(owned, key=lambda module: "." in module.path.rpartition("/")[2])
        records = [
            *_records(first, subject),
            *(r for one in hidden for r in _records(one, subject)),
        ]
        losers = [record for one in hidden for record in _records(one, subject)]
        yield Finding(
            code="module-shadowed",
            severity=Severity.WARNING,
            distributions=_names(records),
            message=(
                f"`import {first.name}` finds `{first.path}` of {_labels(_records(first, subject))}"
                f", which hides `{hidden[0].path}` of {_labels(losers)}"
            ),
            remedies=_removals(losers),
        )


def _removals(records: list[Record]) -> tuple[Remedy, ...]:
    return tuple(Remove(name=one.name) for one in records if one.changeable and one.name)


def _standard(subject: Subject, files: Files) -> Iterator[Finding]:
    standard = module_names(subject.snapshot.interpreter.version)
    groups: dict[tuple[str, ...], list[Module]] = {}
    for module in files.modules:
        if module.name in standard and module.owners:
            groups.setdefault(module.owners, []).append(module)
    layout = subject.snapshot.layout
    first = layout is not None and (
        layout.kind is EnvironmentKind.FOLDER
        or any(site.scope is Scope.VARIABLE and _is_own(site.path, files) for site in layout.sites)
    )
    for _, modules in sorted(groups.items()):
        records = _records(modules[0], subject)
        names = ", ".join(f"`{module.name}`" for module in modules)
        yield Finding(
            code="module-shadowed",
            severity=Severity.ERROR if first else Severity.WARNING,
            distributions=_names(records),
            message=(
                f"{_labels(records)} brings {names}, which the standard library has: it takes its "
                f"place {'here' if first else 'wherever the site directory comes first'}"
            ),
            remedies=_removals(records),
        )


def _is_own(path: str, files: Files) -> bool:
    return any(module.site == path for module in files.modules)


def _casefolded(subject: Subject, files: Files) -> Iterator[Finding]:
    groups: dict[tuple[str, str], dict[str, list[Module]]] = {}
    for module in files.modules:
        key = module.site, module.name.casefold()
        groups.setdefault(key, {}).setdefault(module.name, []).append(module)
    for _, spellings in sorted(groups.items()):
        if len(spellings) < 2:  # noqa: PLR2004 - one spelling collides with none
            continue
        records = [
            record
            for modules in spellings.values()
            for module in modules
            for record in _records(module, subject)
        ]
        names = " and ".join(f"`{name}`" for name in sorted(spellings))
        yield Finding(
            code="module-casefold",
            severity=Severity.WARNING,
            distributions=_names(records),
            message=(
                f"{names} differ in letter case alone: on a disk that does not tell it apart, one "
                "of them cannot be imported"
            ),
            evidence=tuple(f"of: {record.label}" for record in records),
        )


def _split(files: Files) -> Iterator[Finding]:
    for split in files.splits:
        yield Finding(
            code="namespace-split",
            severity=Severity.ERROR,
            distributions=(),
            message=(
                f"`{split.name}` in `{split.regular}` has an `__init__.py` and hides the part "
                f"of it in `{split.hidden}`"
            ),
        )
