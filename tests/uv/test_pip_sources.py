"""Which requirements pip would build before it answers, and which name a wheel or an index."""

import shlex
from pathlib import Path

import pytest

from envaudit.core.understand import understand
from envaudit.model.errors import UnreadableError
from envaudit.uv.pip_sources import demand_wheels, is_source


@pytest.mark.parametrize(
    "text",
    [
        *(".", ".[dev]", "..", "./a", "a/b", "/a", "/a[x]", "a-1.0.tar.gz", "a-1.0.zip", "a.tgz"),
        *("a @ file:a", "a@file:a", "a @ file:///a", "git+https://host.example/a", "file:a"),
        *("a @ https://host.example/a-1.tar.gz ; python_version>'3'", "a[x]@git+ssh://b@host/c"),
        *("-e .", "-e.", "--editable=.", "--edit .", "--no-binary :all:", "--no-bin=a"),
        *("${HOME}", "a-1.0.tar.gz --hash=sha256:0", "./a # comment", "--group dev"),
    ],
)
def test_what_pip_would_build(text: str) -> None:
    assert is_source(text)


@pytest.mark.parametrize(
    "text",
    [
        *("a", "a==1.0", "a[x]>=1,<2; python_version>'3'", "a --hash=sha256:0"),
        *("./a-1-py3-none-any.whl", "/a/a-1-py3-none-any.whl"),
        *("a @ https://host.example/a-1-py3-none-any.whl#sha256=0", "a-1-py3-none-any.whl[x]"),
        *("--index-url https://${TOKEN}@host.example/wheels", "--extra-index-url=https://a/b"),
        *("-i https://host.example", "--only-binary :all:", "--no-index", "--pre", "-f ./wheels"),
    ],
)
def test_what_pip_takes_as_it_is(text: str) -> None:
    assert not is_source(text)


@pytest.mark.parametrize(
    "line",
    ["-r more.txt", "--requirement=more.txt", "-rmore.txt", "--requirem more.txt", "-cmore.txt"],
)
def test_files_are_followed(line: str, tmp_path: Path) -> None:
    (tmp_path / "all.txt").write_text(f"a\n{line}\n")
    (tmp_path / "more.txt").write_text("b\n./c\n")
    request = understand(shlex.split("pip install -r all.txt"))
    with pytest.raises(UnreadableError, match=r"pip would build `\./c`"):
        demand_wheels(request, tmp_path)
