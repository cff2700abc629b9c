"""T3: a file or a folder that is exchanged for a link, also while it is read."""

import threading
from pathlib import Path

from envaudit.model.errors import UnreadableError
from tests.kit.verifying import codes, make_installed, verified

ROUNDS = 60


def test_a_folder_that_is_swapped_while_it_is_read_never_leads_outside(tmp_path: Path) -> None:
    """The outside has what RECORD lists, and the inside has not: a pass would have followed."""
    bare = make_installed(tmp_path / "environment")
    outside, package, aside = tmp_path / "outside", bare.site / "pkg", bare.site / "aside"
    outside.mkdir()
    for name in ("__init__.py", "core.py", "data.bin"):
        (outside / name).write_bytes((package / name).read_bytes())
        (package / name).write_bytes(b"#" * (package / name).stat().st_size)
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            package.rename(aside)
            package.symlink_to(outside)
            package.unlink()
            aside.rename(package)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        counts = [_count(bare.root) for _ in range(ROUNDS)]
    finally:
        done.set()
        swapper.join()

    # METADATA, WHEEL and INSTALLER, and nothing of what lies in the package.
    assert set(counts) <= {3, 0}


def _count(environment: Path) -> object:
    """Return how many files were verified: none where too much changed for any answer."""
    try:
        data = verified(environment).data
    except UnreadableError:
        return 0
    assert isinstance(data, dict)
    return data["verified"]


def test_a_file_that_is_swapped_while_it_is_read_never_leads_outside(tmp_path: Path) -> None:
    bare = make_installed(tmp_path / "environment")
    file, aside = bare.site / "pkg" / "core.py", bare.site / "pkg" / "core.aside"
    outside = tmp_path / "outside.py"
    outside.write_bytes(file.read_bytes())
    file.write_bytes(b"#" * file.stat().st_size)
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            file.rename(aside)
            file.symlink_to(outside)
            file.unlink()
            aside.rename(file)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        verdicts = {tuple(codes(verified(bare.root))) for _ in range(ROUNDS)}
    finally:
        done.set()
        swapper.join()

    assert () not in verdicts


def test_a_link_to_a_copy_of_the_very_file_is_still_no_file(tmp_path: Path) -> None:
    bare = make_installed(tmp_path / "environment")
    file = bare.site / "pkg" / "core.py"
    file.rename(tmp_path / "core.py")
    file.symlink_to(tmp_path / "core.py")

    assert codes(verified(bare.root)) == ["error[files-irregular]"]


def test_a_record_that_is_a_link_into_a_store_of_the_attackers_opens_nothing_else(
    tmp_path: Path,
) -> None:
    """Links are followed into uv's cache alone, letter by letter, and no link further."""
    store = tmp_path / "archive-v0" / "wheel"
    bare = make_installed(tmp_path / "environment")
    (store / "pkg-1.dist-info").mkdir(parents=True)
    metadata = bare.site / "pkg-1.dist-info" / "METADATA"
    metadata.rename(store / "pkg-1.dist-info" / "METADATA")
    metadata.symlink_to(store / "pkg-1.dist-info" / "METADATA")
    assert codes(verified(bare.root)) == []

    outside = tmp_path / "outside"
    (bare.site / "pkg").rename(outside)
    (bare.site / "pkg").mkdir()
    (store / "pkg").symlink_to(outside)
    for file in outside.iterdir():
        (bare.site / "pkg" / file.name).symlink_to(store / "pkg" / file.name)

    report = verified(bare.root)

    assert codes(report) == ["error[files-irregular]"]
    assert isinstance(report.data, dict)
    assert report.data["verified"] == 3
