"""Distributions that are made to lie over each other: which of them must own what is on disk.

Some projects install several distributions into one folder on purpose. What makes it plain is that
one requires the other (nvidia-cutlass-dsl-libs-cu13 requires -libs-base, and lies over it), or that
one distribution requires them all (nixl requires nixl-cu12 and nixl-cu13): nobody could choose. Of
the latter, the one is right that was built for the CUDA that torch was built for. Their names begin
alike: that two strangers both bring a folder ``tests``, and one requires the other, is no design.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from packaging.version import Version

from envaudit.checks.remedies import Record
from envaudit.model import accelerator
from envaudit.model.distribution import Distribution
from envaudit.model.subject import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """What lies over each other by design."""

    top: Record | None
    """Whose files must be on disk; ``None``: nothing tells."""
    reason: str
    """Why they lie so."""


def find_layers(records: Sequence[Record], subject: Subject) -> Layers | None:
    """Return how ``records`` are made to lie over each other; ``None``: they are strangers."""
    names = {record.name for record in records}
    if len({name.partition("-")[0] for name in names}) > 1:
        return None  # strangers that happen to share a file, although one requires the other
    required = {
        (need.dependent.name, need.name)
        for need in subject.needs
        if need.name in names and need.dependent.name != need.name
    }
    below = {name for dependent, name in required if dependent in names}
    tops = [record for record in records if record.name not in below]
    if below and len(tops) == 1 and below == names - {tops[0].name}:
        return Layers(top=tops[0], reason=f"`{tops[0].label}` requires the other")
    owners = sorted({dependent for dependent, _ in required if dependent not in names})
    common = next((one for one in owners if all((one, name) in required for name in names)), None)
    if common is None:
        return None
    torch = _cuda_of(subject.installed.get("torch", ()), subject)
    right = [
        record
        for record in records
        if torch is not None and _cuda_of(subject.installed.get(record.name, ()), subject) == torch
    ]
    if len(right) != 1:
        return Layers(top=None, reason=f"`{common}` requires all of them")
    return Layers(top=right[0], reason=f"torch is built for CUDA {torch}")


def _cuda_of(records: Sequence[Distribution], subject: Subject) -> int | None:
    """Return the CUDA major that a distribution was built for; ``None``: none, or not known."""
    for record in records:
        found = accelerator.read(record, subject.snapshot.interpreter)
        cuda: Version | None = None if found is None else found.cuda
        return None if cuda is None else cuda.major
    return None
