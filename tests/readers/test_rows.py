"""RECORD read row by row: what is not in order is a fact about it."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as some

from envaudit.readers.rows import read_rows

PLAIN = b"six.py,sha256=abc,10\nsix-1.dist-info/METADATA,sha256=def,7\nsix-1.dist-info/RECORD,,\n"


def faults(content: bytes) -> list[tuple[int, str]]:
    return [(fault.line, fault.reason) for fault in read_rows(content, digests=False).faults]


def test_a_plain_record_is_read() -> None:
    rows = read_rows(PLAIN, digests=True)

    assert list(rows.paths) == ["six.py", "six-1.dist-info/METADATA", "six-1.dist-info/RECORD"]
    assert list(rows.digests) == ["sha256=abc", "sha256=def", ""]
    assert (rows.unhashed, rows.fault_count, rows.odd) == (0, 0, False)


def test_a_quoted_path_with_a_comma_is_read() -> None:
    rows = read_rows(b'"a,b.py",sha256=abc,10\n' + PLAIN, digests=True)

    assert rows.paths[0] == "a,b.py"
    assert rows.faults == ()


@pytest.mark.parametrize("end", [b"\r\n", b"\n", b""])
def test_every_line_end_is_one(end: bytes) -> None:
    assert list(read_rows(PLAIN.replace(b"\n", b"\r\n") + b"x.py,," + end, digests=False).paths)[
        -1
    ] == ("x.py")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"\n", "is blank"),
        (b"not a row\n", "has 1 column instead of 3"),
        (b"a,b,c,d\n", "has 4 columns instead of 3"),
        (b",sha256=abc,1\n", "names no path"),
        (b"a\0b.py,,\n", "names a path with a line break or a NUL character"),
        (b"\xff.py,,\n", "is not UTF-8"),
    ],
)
def test_a_row_that_is_not_in_order_is_a_fact_and_the_rest_is_read(row: bytes, reason: str) -> None:
    content = PLAIN + row + b"last.py,sha256=abc,1\n"

    assert (4, reason) in faults(content)
    assert read_rows(content, digests=False).paths[-1] == "last.py"


def test_an_unterminated_quote_hides_no_later_row() -> None:
    rows = read_rows(b'"open.py,sha256=abc,1\n' + PLAIN, digests=False)

    assert [fault.line for fault in rows.faults] == [1]
    assert rows.paths[-1] == "six-1.dist-info/RECORD"


def test_a_quote_that_spans_lines_hides_none_either() -> None:
    rows = read_rows(b'"open.py,sha256=abc,1\n' + PLAIN + b'x",sha256=abc,1\n', digests=False)

    assert rows.fault_count == 1
    assert "six.py" in rows.paths


def test_rows_without_a_digest_are_counted_but_for_those_that_never_have_one() -> None:
    content = b"a.py,,\n__pycache__/a.cpython-311.pyc,,\nx-1.dist-info/RECORD,,\n"

    assert read_rows(content, digests=False).unhashed == 1


@given(some.binary(max_size=200))
def test_no_bytes_raise(content: bytes) -> None:
    rows = read_rows(content, digests=True)

    assert len(rows.paths) == len(rows.digests)


@given(some.data())
def test_removing_one_quote_or_comma_is_always_noticed(data: some.DataObject) -> None:
    paths = data.draw(some.lists(some.text(alphabet='ab,"/', min_size=1), min_size=1, max_size=4))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((path, "sha256=abc", "1") for path in paths)
    content = text.getvalue()
    marks = [at for at, character in enumerate(content) if character in '",']
    gone = data.draw(some.sampled_from(marks))

    broken = read_rows((content[:gone] + content[gone + 1 :]).encode(), digests=False)

    assert broken.fault_count or sorted(broken.paths) != sorted(paths)


@given(some.lists(some.text(alphabet="ab,.\"/' ", min_size=1), max_size=6))
def test_what_a_csv_writer_wrote_is_read_back(paths: list[str]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((path, "sha256=abc", "1") for path in paths)

    assert list(read_rows(text.getvalue().encode(), digests=False).paths) == paths
