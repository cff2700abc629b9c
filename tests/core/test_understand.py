"""Taking an install command apart, and putting it together again."""

import shlex

import pytest

from envaudit.core.understand import compose, understand
from envaudit.exits import Exit
from envaudit.model.errors import UsageError
from envaudit.model.request import Installer, Verb


@pytest.mark.parametrize(
    ("command", "installer", "verb", "arguments"),
    [
        ("uv pip install vllm==0.17.0", "uv", "install", ("vllm==0.17.0",)),
        ("/opt/bin/uv pip install -U a b", "uv", "install", ("a", "b")),
        ("uv --no-config pip install --index-url x a", "uv", "install", ("a",)),
        ("uv pip install -rreq.txt --find-links=w -f w2 a", "uv", "install", ("a",)),
        ("uv pip install -Un a", "uv", "install", ("a",)),
        ("uv pip install --no-build -- -a", "uv", "install", ("-a",)),
        ("uv pip sync req.txt", "uv", "sync", ("req.txt",)),
        ("uv pip uninstall -y a", "uv", "uninstall", ("a",)),
        ("uv sync --locked --extra gpu", "uv", "project-sync", ()),
        ("python3 -m uv pip install a", "uv", "install", ("a",)),
        ("pip install -U a", "pip", "install", ("a",)),
        ("pip3.11 install -c c.txt a", "pip", "install", ("a",)),
        ("venv/bin/python -m pip uninstall -y a", "pip", "uninstall", ("a",)),
    ],
)
def test_a_command_that_can_be_judged_is_understood(
    command: str, installer: str, verb: str, arguments: tuple[str, ...]
) -> None:
    request = understand(shlex.split(command))
    assert request.installer is Installer(installer)
    assert request.verb is Verb(verb)
    assert request.arguments == arguments


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "there is no command to judge"),
        ("rm -rf /", "`rm` is no installer that can be judged"),
        ("python setup.py install", "`python` is no installer"),
        ("uv add a", "`uv add` has no dry run"),
        ("uv remove a", "`uv remove` has no dry run"),
        ("uv pip list", "`pip list` is no subcommand that can be judged"),
        ("uv", "is no subcommand that can be judged"),
        ("uv pip install --target x a", "`--target` installs outside of the environment"),
        ("uv pip install -tx a", "`--target` installs outside of the environment"),
        ("uv pip install --prefix=x a", "`--prefix` installs outside of the environment"),
        ("pip install --user a", "`--user` installs outside of the environment"),
        ("uv pip install --index-url", "the option `--index-url` of the command has no value"),
    ],
)
def test_anything_else_is_refused_by_name(command: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        understand(shlex.split(command))
    assert caught.value.exit is Exit.USAGE


def test_a_command_is_put_together_as_it_was_written_with_more_at_its_end() -> None:
    words = shlex.split("uv pip install -U --index-url=x -f w a")
    request = understand(words)
    assert compose(request) == tuple(words)
    assert compose(request, arguments=("b==1",)) == (*words, "b==1")
    assert compose(request, without=frozenset({"--find-links"}), options=("--dry-run",)) == tuple(
        shlex.split("uv pip install --dry-run -U --index-url=x a")
    )


def test_an_argument_that_looks_like_an_option_stays_an_argument() -> None:
    request = understand(shlex.split("uv pip install a -f w -- --index-url=evil"))
    assert compose(request, arguments=("b",)) == tuple(
        shlex.split("uv pip install -f w -- a --index-url=evil b")
    )


def test_values_of_options_are_found_under_each_of_their_names() -> None:
    request = understand(shlex.split("uv pip install -p one --python=two -r a --requirement b"))
    assert request.values("--python") == ("one", "two")
    assert request.values("--requirements") == ("a", "b")
