"""Laws of ``verify``: no change is missed and none is invented, with or without its cache."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from envaudit.commands import verify
from envaudit.commands.verify import Terms
from envaudit.doors import digests
from envaudit.effects.report_file import keep_state
from tests.kit.bare import Bare
from tests.kit.commands import surroundings
from tests.kit.verifying import make_installed

MODULES = {f"pkg/m{number}.py": f"NUMBER = {number}\n" * 3 for number in range(8)}
PATHS = sorted(MODULES)
OTHER = "NUMBER = X\n" * 3


def _in_place(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(OTHER.encode())


def _append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"#")


def _truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def _replace(path: Path) -> None:
    path.unlink()
    path.write_text(OTHER)


def _rename_over(path: Path) -> None:
    beside = path.with_suffix(".new")
    beside.write_text(OTHER)
    shutil.copystat(path, beside)
    beside.replace(path)


def _swap_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[3] ^= 1
    path.write_bytes(content)


def _touched_back(edit: Callable[[Path], None]) -> Callable[[Path], None]:
    """Restore, after an edit, the times that the file had."""

    def edit_and_hide(path: Path) -> None:
        before = path.stat()
        edit(path)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    return edit_and_hide


def _from_elsewhere(path: Path) -> None:
    """Move over it an older file of the same size, as a restored backup does."""
    old = path.with_suffix(".old")
    old.write_text(OTHER)
    os.utime(old, (1, 1))
    old.replace(path)


EDITS = (_in_place, _append, _truncate, _replace, _rename_over, _swap_a_bit, _from_elsewhere)
EVERY_WAY = (*EDITS, *map(_touched_back, EDITS))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust a file as soon as the clock has moved on, so that no test has to wait for two seconds.

    What must hold is then harder: every file of these tests has just been written.
    """
    monkeypatch.setattr(digests, "SETTLED_NANOSECONDS", 0)


def found(bare: Bare, state: Path, *, cache: bool) -> tuple[frozenset[str], int]:
    """Return what is modified, by name, and how many files were not read; keep the cache."""
    report = verify.run(surroundings(bare.root, ENVAUDIT_STATE=str(state)), Terms(cache=cache))
    for file in report.remembered:
        keep_state(file)
    data = report.data
    assert isinstance(data, dict)
    files, unchanged = data["files"], data["unchanged"]
    assert isinstance(files, list)
    assert isinstance(unchanged, int)
    names = frozenset(str(one["path"]).rpartition("/")[2] for one in files)
    return names, unchanged


def _wait_for_the_tick(folder: Path) -> None:
    """Go on when a file that is written now bears another time than what was written before."""
    probe = folder / "probe"
    probe.write_text("")
    first = probe.stat().st_ctime_ns
    while probe.stat().st_ctime_ns == first:
        probe.write_text("")


@settings(max_examples=100)
@given(
    some.lists(
        some.dictionaries(some.sampled_from(PATHS), some.sampled_from(EVERY_WAY), max_size=4),
        min_size=1,
        max_size=3,
    )
)
def test_the_cache_hides_no_change_and_invents_none(
    rounds: list[dict[str, Callable[[Path], None]]],
) -> None:
    with tempfile.TemporaryDirectory() as place:
        bare = make_installed(Path(place) / "environment", MODULES)
        state = Path(place) / "state"
        _wait_for_the_tick(Path(place))
        assert found(bare, state, cache=True) == (frozenset(), 0)
        _, unchanged = found(bare, state, cache=True)
        assert unchanged == len(MODULES) + 3
        for edits in rounds:
            _wait_for_the_tick(Path(place))
            for path, edit in edits.items():
                edit(bare.site / path)
            _wait_for_the_tick(Path(place))
            truth = frozenset(
                path.rpartition("/")[2]
                for path, content in MODULES.items()
                if (bare.site / path).read_text() != content
            )

            assert found(bare, state, cache=True)[0] == truth
            assert found(bare, state, cache=True)[0] == truth
            assert found(bare, state, cache=False)[0] == truth


def test_a_file_that_was_just_written_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digests, "SETTLED_NANOSECONDS", 3_600_000_000_000)
    bare = make_installed(tmp_path / "environment", MODULES)

    found(bare, tmp_path / "state", cache=True)

    assert found(bare, tmp_path / "state", cache=True)[1] == 0


@pytest.mark.parametrize(
    "harm",
    [
        lambda cache: cache.write_text(""),
        lambda cache: cache.write_text("other\n" + cache.read_text()),
        lambda cache: cache.write_bytes(cache.read_bytes()[:300]),
        lambda cache: cache.write_bytes(bytes(1000)),
        lambda cache: cache.parent.chmod(0o777),
        lambda cache: (cache.rename(cache.with_name("x")), cache.symlink_to("x")),
    ],
)
def test_a_cache_that_is_torn_or_open_to_others_is_not_believed(
    harm: Callable[[Path], object], tmp_path: Path
) -> None:
    bare = make_installed(tmp_path / "environment", MODULES)
    _wait_for_the_tick(tmp_path)
    found(bare, tmp_path / "state", cache=True)
    (cache,) = (tmp_path / "state").glob("*/files.cache")
    assert found(bare, tmp_path / "state", cache=True)[1] > 0
    harm(cache)
    _in_place(bare.site / PATHS[0])

    report = verify.run(
        surroundings(bare.root, ENVAUDIT_STATE=str(tmp_path / "state")), Terms(cache=True)
    )

    assert [finding.code for finding in report.findings] == ["files-modified"]
