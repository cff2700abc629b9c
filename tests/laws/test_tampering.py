"""Law: however an installed environment is tampered with, exactly that is found, each time."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.kit.bare import Bare
from tests.kit.verifying import add_distribution, make_installed, verified

NAMES = ("alpha", "beta", "gamma", "delta")
FILES = ("__init__.py", "core.py", "data.bin", "deep/er/__init__.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tampering:
    """One way to tamper with one listed file, and the codes that tell of it."""

    codes: tuple[str, ...]
    tamper: Callable[[Path], None]


def _append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"#")


def _flip(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(bytes([content[0] ^ 1]) + content[1:])


def _flip_and_restore_times(path: Path) -> None:
    before = path.stat()
    _flip(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _replace(path: Path) -> None:
    other = path.with_name(f"{path.name}.new")
    other.write_bytes(b"replaced")
    other.replace(path)


def _remove(path: Path) -> None:
    path.unlink()


def _link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/passwd")


def _link_to_a_copy(path: Path) -> None:
    path.rename(path.with_name("copy.txt"))
    path.symlink_to("copy.txt")


def _dangle(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _open_to_all(path: Path) -> None:
    path.chmod(0o666)


def _lend_rights(path: Path) -> None:
    path.chmod(0o4755)


def _plant_beside(path: Path) -> None:
    (path.parent / "planted.py").write_text("")


def _plant_compiled(path: Path) -> None:
    (path.parent / "planted.abi3.so").write_bytes(b"\x7fELF")


WAYS = (
    *(
        Tampering(codes=("files-modified",), tamper=way)
        for way in (_append, _flip, _flip_and_restore_times, _empty, _replace)
    ),
    *(Tampering(codes=("files-missing",), tamper=way) for way in (_remove, _dangle)),
    *(Tampering(codes=("files-irregular",), tamper=way) for way in (_link, _link_to_a_copy, _fifo)),
    # Of its RECORD it is said, too, that a row names a folder, which `check` tells without reading.
    Tampering(codes=("files-irregular", "record-malformed"), tamper=_folder),
    *(Tampering(codes=("files-permissions",), tamper=way) for way in (_open_to_all, _lend_rights)),
    *(Tampering(codes=("files-orphaned",), tamper=way) for way in (_plant_beside, _plant_compiled)),
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment with four distributions, in order."""
    root = tmp_path_factory.mktemp("tampering") / "sound"
    bare = make_installed(root)
    for name in NAMES:
        contents = {f"{name}/{file}": f"# {name} {file}\n" for file in FILES}
        add_distribution(bare, name, contents)
    assert verified(root).findings == ()
    return root


def _codes(environment: Path) -> set[tuple[str, str]]:
    return {
        (finding.code, name)
        for finding in verified(environment).findings
        for name in finding.distributions
    }


def _tampered(sound: Path, ways: list[tuple[str, str, Tampering]]) -> set[tuple[str, str]]:
    """Tamper with a copy, and return what was found there."""
    copy = sound.parent / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(sound, copy, symlinks=True)
    site = Bare(root=copy, site=copy / "lib/python3.11/site-packages").site
    for name, file, way in ways:
        way.tamper(site / name / file)
    return _codes(copy)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.tamper.__name__.strip("_"))
@pytest.mark.parametrize("file", FILES)
def test_each_way_alone_is_found_and_nothing_else_is(
    way: Tampering, file: str, sound: Path
) -> None:
    assert _tampered(sound, [("beta", file, way)]) == {(code, "beta") for code in way.codes}


@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.sampled_from(FILES), st.sampled_from(WAYS)),
        unique_by=lambda one: one[:2],
    )
)
def test_a_hundred_at_random_are_found_with_none_missed_and_none_invented(
    sound: Path, ways: list[tuple[str, str, Tampering]]
) -> None:
    assert _tampered(sound, ways) == {(code, name) for name, _, way in ways for code in way.codes}
