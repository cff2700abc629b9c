"""The header reader against the standard library's, and readers against bytes of every sort."""

import contextlib
import email.parser
import email.policy
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envaudit.model.distribution import Origin
from envaudit.readers import direct_url, metadata
from envaudit.readers.claims import parse_claims
from envaudit.readers.configuration import parse_configuration
from envaudit.readers.eggs import parse_requires
from envaudit.readers.path_files import parse_path_file
from tests.kit.bare import Bare, make_venv, put
from tests.kit.watching import watch_opened

_PIECES = st.sampled_from(
    [
        *(b"Name: six\n", b"Version: 1\n", b"Requires-Dist: a\n", b" folded\n", b"\tfolded\n"),
        *(
            b"\n",
            b"\r\n",
            b"\r",
            b": ",
            b"Name:",
            b"\xff",
            b"\x00",
            b"\xef\xbb\xbf",
            b"no header\n",
        ),
        *(
            b"Provides-Extra: x\n",
            b"=",
            b"home = /x\n",
            b'"',
            b"'",
            b"{",
            b"import x\n",
            b"[a:b]\n",
        ),
    ]
)
BYTES = st.one_of(st.binary(max_size=200), st.lists(_PIECES, max_size=20).map(b"".join))


def installed() -> Iterator[Path]:
    """Yield every METADATA of the environment that runs the tests."""
    for folder in map(Path, sys.path):
        yield from folder.glob("*.dist-info/METADATA")


def test_the_standard_library_agrees_on_every_metadata_at_hand() -> None:
    paths = sorted(set(installed()))
    assert len(paths) > 10
    for path in paths:
        content = path.read_bytes()
        assert _plain(metadata.parse_headers(content)) == _plain(_standard(content)), path


def _standard(content: bytes) -> Mapping[str, list[str]]:
    """Return the headers as the standard library reads them, decoded as packaging tools do."""
    text = content.decode("utf-8", "surrogateescape")
    found: dict[str, list[str]] = {}
    for name, value in (
        email.parser.HeaderParser(policy=email.policy.compat32).parsestr(text).items()
    ):
        found.setdefault(name.lower(), []).append(value)
    return found


def _plain(headers: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return ``headers`` without regard to how blank space folds lines."""
    return {name: [" ".join(value.split()) for value in values] for name, values in headers.items()}


@given(BYTES)
def test_no_bytes_break_a_parser(content: bytes) -> None:
    headers = metadata.parse_headers(content)
    metadata.repositories(headers)
    metadata.extras(headers)
    parse_configuration(content)
    parse_path_file("x.pth", content)
    parse_claims(content)
    tuple(parse_requires(content))


@given(
    BYTES
    | st.recursive(
        st.none() | st.text() | st.booleans(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    ["url", "dir_info", "vcs_info", "archive_info", "editable", "commit_id"]
                ),
                inner,
            )
        ),
    ).map(lambda value: json.dumps(value).encode())
)
def test_a_direct_url_is_read_or_refused(content: bytes) -> None:
    with contextlib.suppress(direct_url.DirectUrlError):
        assert isinstance(direct_url.parse(content), Origin)


@pytest.fixture(scope="module")
def bare() -> Iterator[Bare]:
    """Return one environment for all examples."""
    with tempfile.TemporaryDirectory() as folder:
        yield make_venv(Path(folder) / "bare")


FILES = (
    "six-1.0.dist-info/METADATA",
    "six-1.0.dist-info/WHEEL",
    "six-1.0.dist-info/direct_url.json",
    "six-1.0.dist-info/RECORD",
    "old-1.0.egg-info",
    "older.egg-info/PKG-INFO",
    "older.egg-info/requires.txt",
)


@settings(max_examples=50)  # each writes a dozen files and reads an environment
@given(configuration=BYTES, contents=st.lists(BYTES, min_size=len(FILES), max_size=len(FILES)))
def test_no_bytes_break_the_reading_or_lead_it_outside(
    bare: Bare, configuration: bytes, contents: list[bytes]
) -> None:
    # The last of a key counts: no base, of which the interpreter's own files would be read.
    end = b"\ninclude-system-site-packages = false\nhome = /nowhere/at/all\n"
    put(bare.root / "pyvenv.cfg", configuration + end)
    for name, content in zip(FILES, contents, strict=True):
        bare.put(name, content)
    with watch_opened() as opened:
        snapshot = bare.read()

    inside = (str(bare.root), str(bare.root.resolve()))
    assert [path for path in opened if path[0] == "/" and not path.startswith(inside)] == []
    assert len(snapshot.distributions) + len(snapshot.unreadable) + len(snapshot.remnants) >= 2
