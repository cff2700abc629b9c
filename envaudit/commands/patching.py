"""The edits in an environment's files as one patch, made against what the wheels bring."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from envaudit.commands.aim import aim, open_uv
from envaudit.commands.surroundings import Surroundings
from envaudit.core.patch import compose_patch
from envaudit.core.planner import write_requirement
from envaudit.doors import disk
from envaudit.doors.disk import DiskError, Folder
from envaudit.model.inspection import Deviation, DeviationKind, Inspection
from envaudit.model.snapshot import Snapshot
from envaudit.readers.contents import verifies
from envaudit.uv.pristine import unpack
from envaudit.uv.scratch import scratch_folder

_LARGEST = 4 * disk.MEBIBYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """A patch, and what it does not hold."""

    text: str
    """Bytes that are no UTF-8 as surrogates."""
    notes: tuple[str, ...]


def compose(
    surroundings: Surroundings,
    snapshot: Snapshot,
    inspection: Inspection,
    flags: tuple[str, ...],
) -> Patch:
    """Return all edits of listed files that were found, by path from the environment.

    Each is made against the file that a fresh install of the very wheel brings, and only where that
    has the digest that RECORD lists. ``flags`` go to uv's install.

    Raises:
        UnreadableError: uv, or the environment's interpreter, is not there.
    """
    patching = _Patching(surroundings, snapshot, flags)
    for tally in inspection.tallies:
        found = [one for one in tally.deviations if one.kind is DeviationKind.MODIFIED]
        if found:
            patching.add(tally.record, found)
    return Patch(text="".join(patching.texts), notes=tuple(patching.notes))


class _Patching:
    """Collects the diffs, distribution by distribution."""

    def __init__(
        self, surroundings: Surroundings, snapshot: Snapshot, flags: tuple[str, ...]
    ) -> None:
        self._root = surroundings.root()
        self._uv = open_uv(surroundings)
        self._base = aim(surroundings, snapshot).prefix.base
        self._flags = flags
        self._distributions = snapshot.by_folder()
        self.texts: list[str] = []
        self.notes: list[str] = []

    def add(self, record: str, found: Sequence[Deviation]) -> None:
        """Add the edited files of one record."""
        originals, reason = self._originals(record, found)
        with disk.open_folder(self._root) as environment:
            for one in found:
                said = reason or "the wheel of that version brings another file"
                if one.path in originals:
                    said = self._compare(environment, one.path, originals[one.path])
                if said:
                    self.notes.append(f"not in the patch: `{one.path}`: {said}")

    def _compare(self, environment: Folder, path: str, original: bytes) -> str:
        """Add the diff of one file, or return why there is none."""
        try:
            present = environment.read_below(path, limit=_LARGEST)
        except DiskError as error:
            return f"it {error.reason}"
        text = compose_patch(path, original, present)
        if text is None:
            return "it is no text, or has a name that a patch cannot hold"
        self.texts.append(text)
        return ""

    def _originals(
        self, record: str, found: Sequence[Deviation]
    ) -> tuple[Mapping[str, bytes], str]:
        """Return what the edited files held, as far as it is to be had, and why not all."""
        distribution = self._distributions.get(record)
        pin = (
            None
            if distribution is None
            else write_requirement(distribution.name, f"=={distribution.version}")
        )
        if distribution is None or pin is None:
            return {}, "its name or version is none that could be installed"
        originals: dict[str, bytes] = {}
        reason = ""
        for cache in (True, False):
            if len(originals) == len(found):
                break
            with scratch_folder() as folder:
                wheel = folder / "wheel"
                said = unpack(self._uv, pin, wheel, self._base, self._flags, cache=cache)
                reason = "" if said is None else f"`{pin}` could not be installed afresh: {said}"
                if said is None:
                    originals |= _read(wheel, distribution.site, found)
        return originals, reason


def _read(wheel: Path, site: str, found: Iterable[Deviation]) -> Mapping[str, bytes]:
    """Return those files of an unpacked wheel that have the digests that RECORD lists."""
    originals: dict[str, bytes] = {}
    with disk.open_folder(wheel) as folder:
        for one in found:
            try:
                content = folder.read_below(one.path.removeprefix(f"{site}/"), limit=_LARGEST)
            except DiskError:
                continue
            if verifies(content, one.listed or ""):
                originals[one.path] = content
    return originals
