"""What is opened is heard, however it is opened, and no longer than somebody listens."""

import io
import os
from pathlib import Path

from tests.kit.watching import watch_opened


def test_it_hears_what_is_opened_and_listed_while_it_listens(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / name).write_text(name)

    with watch_opened() as opened:
        (tmp_path / "a").read_text()
        os.close(os.open(tmp_path / "b", os.O_RDONLY))
        io.FileIO(str(tmp_path / "c")).close()
        os.listdir(tmp_path)  # noqa: PTH208 - what is heard is this call
    (tmp_path / "d").read_text()

    assert opened == [*(str(tmp_path / name) for name in "abc"), str(tmp_path)]


def test_two_that_listen_hear_the_same(tmp_path: Path) -> None:
    with watch_opened() as outer, watch_opened() as inner:
        os.scandir(tmp_path).close()

    assert outer == inner == [str(tmp_path)]
