"""What is importable in a site directory, whose it is, and what of it nobody owns."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from envaudit.doors.disk import DiskError, Folder
from envaudit.doors.tree import Tree
from envaudit.model.files import ForeignExtension, Generated, Module, Orphan
from envaudit.model.snapshot import Interpreter
from envaudit.model.standard_library import module_names
from envaudit.readers.manifests import Listing

_SOURCE = ".py"
_COMPILED = (".so", ".pyd")
_GENERATED = ("_pb2.py", "_pb2_grpc.py")
SPECIAL = (*_COMPILED, *_GENERATED)
"""Endings of the files whose names say more than that they are modules."""
_METADATA = (".dist-info", ".egg-info", ".egg")
_TAG = re.compile(
    r"(?:cpython-|cp)(?P<major>\d)(?P<minor>\d+)(?P<flags>[a-z]*)(?:-(?P<platform>.+))?"
)
_PROTOBUF = re.compile(rb"ValidateProtobufRuntimeVersion\(\s*[\w.]+,\s*(\d+),\s*(\d+),\s*(\d+)")
_PROTOBUF_NOTE = re.compile(rb"^# Protobuf Python Version: (\d+)\.(\d+)\.(\d+)", re.MULTILINE)
_GRPC = re.compile(rb"^GRPC_GENERATED_VERSION = ['\"](\d+)\.(\d+)\.(\d+)", re.MULTILINE)
_HEAD = 4096
_MOST_GENERATED = 20_000
_MADE_WITH_THE_ENVIRONMENT = frozenset({"_virtualenv.py", "sitecustomize.py", "usercustomize.py"})
"""What stands at the top without an owner: tools' own, or judged as a startup hook."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """Everything in one site directory, and the RECORDs that list it."""

    where: str
    """The site directory, from the environment."""
    tree: Tree
    names: Sequence[str]
    """The entries of the site directory itself."""
    listings: Sequence[Listing]
    claimed: frozenset[str]
    """Every path that a RECORD lists, from the site directory."""
    guessed: frozenset[str]
    """Top-level names that belong to records without a list of their files."""

    def owners(self, paths: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        """Return the records that list each of ``paths``."""
        wanted = frozenset(paths)
        found: dict[str, tuple[str, ...]] = {}
        for listing in self.listings if wanted else ():
            for path in wanted.intersection(listing.inside):
                found[path] = (*found.get(path, ()), listing.manifest.folder)
        return found

    def owners_below(self, folder: str) -> tuple[str, ...]:
        """Return the records that list something at or below ``folder``."""
        return tuple(
            listing.manifest.folder
            for listing in self.listings
            if any(path == folder or path.startswith(f"{folder}/") for path in listing.inside)
        )


def find_modules(ownership: Ownership, interpreter: Interpreter) -> tuple[Module, ...]:
    """Return what can be imported by name at the top of the site directory."""
    tree, names = ownership.tree, ownership.names
    found = [(module, name) for name in names if (module := _module_name(name, tree)) is not None]
    standard = module_names(interpreter.version)
    folded: dict[str, int] = {}
    for module, _ in found:
        folded[module.casefold()] = folded.get(module.casefold(), 0) + 1
    return tuple(
        Module(
            name=module,
            path=f"{ownership.where}/{name}",
            owners=(
                ownership.owners_below(name)
                if folded[module.casefold()] > 1 or module in standard
                else ()
            ),
        )
        for module, name in found
    )


def _module_name(name: str, tree: Tree) -> str | None:
    if name in tree.folders:
        stem = name if name != "__pycache__" else ""
    elif name.endswith((_SOURCE, *_COMPILED)):
        stem = name.partition(".")[0]
    else:
        return None
    return stem if stem.isidentifier() else None


def find_orphans(ownership: Ownership) -> tuple[Orphan, ...]:
    """Return what can be imported and is in no RECORD, the highest such folder for all in it."""
    tree = ownership.tree
    unowned = [
        path
        for path in (tree.files | tree.links if tree.links else tree.files) - ownership.claimed
        if (path.endswith((_SOURCE, *_COMPILED)) or _is_odd_module(path, tree))
        and _may_be_orphan(path, ownership)
    ]
    if not unowned:
        return ()
    owned = {folder for path in ownership.claimed for folder in _parents(path)}
    groups: dict[str, list[str]] = {}
    for path in unowned:
        top = next((folder for folder in _parents(path) if folder not in owned), path)
        groups.setdefault(top, []).append(path)
    return tuple(
        Orphan(
            path=f"{ownership.where}/{top}",
            files=len(paths),
            extension=any(path.endswith(_COMPILED) for path in paths),
            hides=_hidden_by(top, ownership),
            within=ownership.owners_below(top.rpartition("/")[0]) if "/" in top else (),
        )
        for top, paths in sorted(groups.items())
    )


def _is_odd_module(path: str, tree: Tree) -> bool:
    """Return whether a link may be a package, or byte code is imported for want of a source."""
    name = path.rpartition("/")[2]
    if path in tree.links:
        return name.isidentifier()
    stem = path.removesuffix(".pyc")
    return stem != path and name.count(".") == 1 and f"{stem}{_SOURCE}" not in tree.files


def _hidden_by(top: str, ownership: Ownership) -> str | None:
    """Return the listed module that ``top`` comes before: folder, then ``.so``, then ``.py``."""
    folder, slash, name = top.rpartition("/")
    source = f"{folder}{slash}{name.partition('.')[0]}{_SOURCE}"
    tree = ownership.tree
    # A folder without an `__init__.py` comes last; what a link leads to is not known.
    package = top in tree.links or f"{top}/__init__{_SOURCE}" in tree.files
    first = name.endswith(_COMPILED) or package
    return f"{ownership.where}/{source}" if first and source in ownership.claimed else None


def _may_be_orphan(path: str, ownership: Ownership) -> bool:
    top = path.partition("/")[0]
    return not (
        top.endswith(_METADATA)
        or top.startswith(("~", "-"))
        or top in _MADE_WITH_THE_ENVIRONMENT
        or top.partition(".")[0] in ownership.guessed
    )


def _parents(path: str) -> Iterable[str]:
    """Yield the folders that ``path`` lies in, the highest first."""
    parts = path.split("/")
    for depth in range(1, len(parts)):
        yield "/".join(parts[:depth])


def find_foreign(
    ownership: Ownership, special: Sequence[str], interpreter: Interpreter
) -> tuple[ForeignExtension, ...]:
    """Return the extensions among ``special`` for which this interpreter has no substitute."""
    groups: dict[tuple[str, str], list[str]] = {}
    for path in special:
        folder, _, name = path.rpartition("/")
        if name.endswith(_COMPILED):
            groups.setdefault((folder, name.partition(".")[0]), []).append(path)
    foreign: list[str] = []
    for (folder, stem), paths in groups.items():
        source = f"{folder}/{stem}{_SOURCE}" if folder else f"{stem}{_SOURCE}"
        if (
            not any(loads(path, interpreter) for path in paths)
            and source not in ownership.tree.files
        ):
            foreign += paths
    owners = ownership.owners(foreign)
    return tuple(
        ForeignExtension(path=f"{ownership.where}/{path}", owners=owners.get(path, ()))
        for path in sorted(foreign)
    )


def loads(path: str, interpreter: Interpreter) -> bool:
    """Return whether ``interpreter`` may load the extension ``path``, by its name alone.

    ``x.cpython-311-x86_64-linux-gnu.so`` is for one version and machine, ``x.abi3.so`` for later
    ones, ``x.so`` for whoever finds it. What is not understood is taken for loadable.
    """
    name = path.rpartition("/")[2]
    tag = name.partition(".")[2].rpartition(".")[0]
    match = _TAG.fullmatch(tag)
    if match is None:
        return not tag.startswith("pypy") or interpreter.implementation == "pypy"
    if interpreter.implementation != "cpython":
        return False
    parts = interpreter.version.split(".")
    if len(parts) > 1 and [match["major"], match["minor"]] != parts[:2]:
        return False
    return _same_machine(match["platform"], interpreter)


def _same_machine(platform: str | None, interpreter: Interpreter) -> bool:
    markers = interpreter.marker_values()
    system, machine = markers.get("sys_platform"), markers.get("platform_machine")
    if platform is None or system is None or machine is None:
        return True
    if platform.startswith("win"):
        return system == "win32"
    if platform == "darwin":
        return system == "darwin"
    known = ("x86_64", "aarch64")
    named = next((name for name in known if platform.startswith(name)), None)
    return system == "linux" and (named is None or machine not in known or named == machine)


def find_generated(
    ownership: Ownership, special: Sequence[str], site: Folder
) -> tuple[Generated, ...]:
    """Return the newest runtime that each record's generated code among ``special`` needs.

    Only the first four kibibytes of a file are read, where generators write it.
    """
    paths = [path for path in special if path.endswith(_GENERATED)][:_MOST_GENERATED]
    owners = ownership.owners(paths)
    newest: dict[tuple[str, str], tuple[tuple[int, ...], str]] = {}
    for path in sorted(owners):
        if path.startswith(("google/protobuf/", "grpc/")):
            continue  # the runtime's own
        needed = _read_generated(site, path)
        for folder in owners[path] if needed is not None else ():
            if needed is not None:
                key, value = (folder, needed[0]), (needed[1], path)
                newest[key] = max(newest.get(key, value), value)
    return tuple(
        Generated(
            folder=folder,
            runtime=runtime,
            version=".".join(map(str, version)),
            path=f"{ownership.where}/{path}",
        )
        for (folder, runtime), (version, path) in sorted(newest.items())
    )


def _read_generated(site: Folder, path: str) -> tuple[str, tuple[int, ...]] | None:
    try:
        head = site.head_below(path, limit=_HEAD)
    except DiskError:
        return None
    grpc = path.endswith("_pb2_grpc.py")
    patterns = (_GRPC,) if grpc else (_PROTOBUF, _PROTOBUF_NOTE)
    for pattern in patterns:
        match = pattern.search(head)
        if match is not None:
            version = tuple(int(part) for part in match.groups())
            return ("grpcio" if grpc else "protobuf"), version
    return None
