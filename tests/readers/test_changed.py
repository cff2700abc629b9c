"""An environment that changes while it is read is read again, once."""

from collections.abc import Callable

import pytest

from envaudit.model.errors import UnreadableError
from envaudit.readers import distributions, records
from envaudit.readers.record_files import RecordFiles
from tests.kit.bare import Bare

Change = Callable[[int], None]


@pytest.fixture
def meddle(monkeypatch: pytest.MonkeyPatch) -> Callable[[Change], None]:
    """Return what makes a change happen each time that a record has been read."""

    def install(change: Change) -> None:
        calls: list[str] = []

        def read(files: RecordFiles, name: str, *, contents: bool) -> object:
            found = distributions.read_distribution(files, name, contents=contents)
            calls.append(name)
            change(len(calls))
            return found

        monkeypatch.setattr(records, "read_distribution", read)

    return install


def test_a_change_of_the_folder_is_noticed(bare: Bare, meddle: Callable[[Change], None]) -> None:
    bare.record("a-1.0.dist-info")

    def change(number: int) -> None:
        if number == 1:
            bare.record("b-1.0.dist-info")

    meddle(change)

    assert [record.name for record in bare.read().distributions] == ["a", "b"]


def test_a_change_of_a_record_is_noticed(bare: Bare, meddle: Callable[[Change], None]) -> None:
    folder = bare.record("a-1.0.dist-info")

    def change(number: int) -> None:
        if number == 1:
            (folder / "METADATA").unlink()
            (folder / "METADATA").write_text("Name: a\nVersion: 2.0\n", "utf-8")

    meddle(change)

    assert [record.version for record in bare.read().distributions] == ["2.0"]


def test_an_environment_that_does_not_stand_still(
    bare: Bare, meddle: Callable[[Change], None]
) -> None:
    bare.record("a-1.0.dist-info")
    meddle(lambda number: bare.put(f"file{number}").touch())

    with pytest.raises(UnreadableError, match="changed while it was read"):
        bare.read()
