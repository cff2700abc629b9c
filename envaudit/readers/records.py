"""All records of one folder of the import path, each read by its form."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from packaging.utils import canonicalize_name

from envaudit.doors import disk
from envaudit.doors.disk import DiskError, Folder, Kind, Stamp
from envaudit.model.distribution import (
    Distribution,
    Editable,
    EditableKind,
    OriginKind,
    Remnant,
    RemnantKind,
    Unreadable,
)
from envaudit.model.layout import Scope
from envaudit.model.record_name import Form, RecordName, parse_record_name
from envaudit.readers import built, claims, eggs, metadata
from envaudit.readers.distributions import read_distribution
from envaudit.readers.record_files import RecordFiles
from envaudit.readers.search_path import Place

_LEFTOVER = ("~", "-")
"""What pip puts before the name of what it is about to remove; ``-``: pip before version 19.2."""
_LINK_LIMIT = 64 * 1024


@dataclass(slots=True)
class Records:
    """What one folder of the import path holds, being collected."""

    place: Place
    contents: bool
    """Whether to read RECORDs for content ids."""
    on_path: frozenset[Path]
    """Every entry of the import path, links resolved."""
    claimed: frozenset[str] = frozenset()
    """Startup files of which to find the owner: names in this folder."""
    distributions: list[Distribution] = field(default_factory=list)
    remnants: list[Remnant] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)
    """Normalised name of the distribution that claims a startup file, by its name."""
    stamps: dict[str, Stamp | None] = field(default_factory=dict)
    """Of every record, taken before it was read."""

    def read(self, site: Folder, kinds: Mapping[str, Kind]) -> None:
        """Read all records among the entries ``kinds`` of the open folder ``site``."""
        if self.place.path.suffix == ".egg" and "EGG-INFO" in kinds:
            self._read_egg(site)
        present = tuple(kinds)
        for name, kind in kinds.items():
            if name.startswith(_LEFTOVER):
                self._leave(site, name, kind)
                continue
            stated = parse_record_name(name)
            if stated is None:
                continue
            self.stamps[name] = site.stamp_of(name)
            try:
                self._read_record(site, name, kind, stated, present)
            except DiskError as error:
                self._note(name, "the record", error.reason)

    def read_archive(self) -> None:
        """Read a place that is a file: a zipped egg, or nothing that records a distribution."""
        if self.place.path.suffix != ".egg":
            return
        with disk.open_folder(self.place.real.parent) as folder:
            files = RecordFiles(folder, self.place.real.parent, self.place.site.path)
            self._take(files, eggs.read_zipped_egg(files, self.place.real.name))

    def _read_egg(self, site: Folder) -> None:
        """Read the place itself, an unpacked egg."""
        try:
            with site.folder("EGG-INFO") as folder:
                files = RecordFiles(folder, self.place.real / "EGG-INFO", self.place.site.path)
                self._take(files, eggs.read_egg_info(files, Form.EGG))
        except DiskError as error:
            self.unreadable.append(
                Unreadable(folder=self.place.site.path, part="EGG-INFO", reason=error.reason)
            )

    def _read_record(
        self, site: Folder, name: str, kind: Kind, stated: RecordName, present: tuple[str, ...]
    ) -> None:
        match stated.form:
            case Form.EGG_LINK:
                self._follow(site, name, stated)
            case Form.EGG | Form.EGG_ZIP:
                if disk.real_path(self.place.real / name) not in self.on_path:
                    self._remain(name, RemnantKind.UNREACHABLE, stated)
            case Form.EGG_INFO_FILE | Form.EGG_INFO if kind is Kind.FILE:
                files = RecordFiles(site, self.place.real, self.place.spell(name))
                if site.head(name, limit=1):
                    self._take(files, eggs.read_egg_info_file(files, name))
                else:
                    self._remain(name, RemnantKind.NAMELESS, stated)
            case Form.DIST_INFO if kind is Kind.FILE:
                self._remain(name, RemnantKind.FILE, stated)
            case Form.DIST_INFO | Form.EGG_INFO | Form.EGG_INFO_FILE:
                self._open(site, name, kind, stated, present)

    def _open(
        self, site: Folder, name: str, kind: Kind, stated: RecordName, present: tuple[str, ...]
    ) -> None:
        """Read a record that is a folder, or a link to a folder of the same name."""
        path = self.place.real / name
        if kind is Kind.LINK:
            try:
                path = disk.resolve_namesake(path, depth=1)
            except disk.AbsentError:
                self._remain(name, RemnantKind.DANGLING, stated)
                return
        opened = site.folder(name) if kind is not Kind.LINK else disk.open_folder(path)
        with opened as folder:
            files = RecordFiles(folder, path, self.place.spell(name))
            files.linked = kind is Kind.LINK
            egg = stated.form is not Form.DIST_INFO
            if not files.has("PKG-INFO" if egg else "METADATA") and (
                stated.name is None or stated.version is None
            ):
                self._remain(name, RemnantKind.NAMELESS, stated)
                return
            if egg:
                self._take(files, eggs.read_egg_info(files, Form.EGG_INFO))
                return
            found = read_distribution(files, name, contents=self.contents)
            if found is not None and (measured := built.measure(site, found.name)):
                found = replace(found, measured=measured)
            self._take(files, self._with_editable(site, found, files, present))
            if found is not None and self.claimed:
                mine = claims.find_claims(files, self.claimed)
                self.owners.update(dict.fromkeys(mine, found.name))

    def _with_editable(
        self,
        site: Folder,
        found: Distribution | None,
        files: RecordFiles,
        present: tuple[str, ...],
    ) -> Distribution | None:
        if found is None or found.origin.kind is not OriginKind.EDITABLE:
            return found
        from envaudit.readers.editables import guess_files, read_editable

        claimed = claims.read_claims(files)
        names = tuple(claimed) or guess_files(found.name, found.version, present)
        editable = read_editable(site, self.place.real, names, self.place.path_files, found)
        spelled = tuple(self.place.spell(name) for name in editable.files)
        return replace(found, editable=replace(editable, files=spelled))

    def _follow(self, site: Folder, name: str, stated: RecordName) -> None:
        """Read what an ``.egg-link`` names: the metadata lies in a source tree."""
        tree = eggs.read_egg_link(site.read(name, limit=_LINK_LIMIT))
        if tree is None:
            self._note(name, "the link", "names no absolute path")
            return
        if not disk.is_folder(tree):
            self._remain(name, RemnantKind.DANGLING, stated)
            return
        with disk.open_folder(tree) as folder:
            record = eggs.find_egg_info(folder.names(), stated.name or "")
            if record is None:
                self._note(name, "the link", f"leads to `{tree}`, which holds no `.egg-info` of it")
                return
            with folder.folder(record) as inner:
                files = RecordFiles(inner, tree / record, self.place.spell(name))
                found = eggs.read_egg_info(files, Form.EGG_LINK)
        naming = {
            self.place.spell(file.name)
            for file in self.place.path_files
            if any(disk.absolute_path(self.place.path / line) == tree for line in file.paths)
        }
        editable = Editable(
            kind=EditableKind.PATH if naming else EditableKind.UNKNOWN,
            files=tuple(sorted(naming)),
            targets=(str(tree),),
        )
        self._take(files, None if found is None else replace(found, editable=editable))

    def _leave(self, site: Folder, name: str, kind: Kind) -> None:
        """Note what an interrupted removal left; the name is in its metadata, if it has one."""
        stated = parse_record_name(name)
        if name.startswith("-") and stated is None and kind is not Kind.FOLDER:
            return
        spelling = version = None
        if stated is not None and kind is Kind.FOLDER:
            try:
                with site.folder(name) as folder:
                    headers = metadata.parse_headers(
                        folder.head("METADATA", limit=metadata.HEAD_LIMIT)
                    )
            except DiskError:
                headers = {}
            spelling, version = (metadata.single(headers, key) for key in ("name", "version"))
        self.remnants.append(
            Remnant(
                folder=self.place.spell(name),
                kind=RemnantKind.LEFTOVER,
                name=None if spelling is None else canonicalize_name(spelling),
                version=version or (stated.version if stated else None),
            )
        )

    def _remain(self, name: str, kind: RemnantKind, stated: RecordName) -> None:
        self.remnants.append(
            Remnant(
                folder=self.place.spell(name),
                kind=kind,
                name=None if stated.name is None else canonicalize_name(stated.name),
                version=stated.version,
            )
        )

    def _take(self, files: RecordFiles, found: Distribution | None) -> None:
        self.unreadable.extend(files.unreadable)
        if found is not None:
            egg = self.place.path.suffix == ".egg"
            scope = Scope.OWN if egg and not found.folder.startswith("/") else self.place.site.scope
            self.distributions.append(
                found if found.scope is scope else replace(found, scope=scope)
            )

    def _note(self, name: str, part: str, reason: str) -> None:
        self.unreadable.append(Unreadable(folder=self.place.spell(name), part=part, reason=reason))


def split_live(
    found: Iterable[tuple[Place, Distribution]],
) -> tuple[list[Distribution], list[Distribution]]:
    """Return the records that are live, and those that an earlier or a better one hides.

    ``found``: in import order. The first folder that holds a name has it; and an ``.egg-info``
    beside a ``.dist-info`` of the same name and version is the same distribution told twice, as
    operating systems do.
    """
    live: list[Distribution] = []
    hidden: list[Distribution] = []
    homes: dict[str, Place] = {}
    standard: set[tuple[str, str]] = set()
    entries = list(found)
    for place, record in entries:
        home = homes.setdefault(record.name, place)
        if home is place and record.form is Form.DIST_INFO:
            standard.add((record.name, record.version))
    for place, record in entries:
        twin = record.form is not Form.DIST_INFO and (record.name, record.version) in standard
        (hidden if homes[record.name] is not place or twin else live).append(record)
    return live, hidden
