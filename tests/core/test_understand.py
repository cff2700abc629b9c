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
        ("uv sync --no-binary", "uv", "project-sync", ()),
        ("uv pip install --no-binary sync a", "uv", "install", ("a",)),
        ("uv --preview-features x pip install a", "uv", "install", ("a",)),
        ("uv pip install --python-preference system a", "uv", "install", ("a",)),
        ("pip install --upgrade-strat eager a", "pip", "install", ("a",)),
        ("pip --python venv install a", "pip", "install", ("a",)),
        ("python3 -m uv pip install a", "uv", "install", ("a",)),
        ("pip install -U a", "pip", "install", ("a",)),
        ("pip3.11 install -c c.txt a", "pip", "install", ("a",)),
        ("venv/bin/python -m pip uninstall -y a", "pip", "uninstall", ("a",)),
        ("venv/bin/python -I -u -m pip install a", "pip", "install", ("a",)),
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
        ("python -I", "`python` is no installer"),
        ("python -c -m pip install a", "`python` is no installer"),
        ("uv add a", "`uv add` has no dry run"),
        ("uv remove a", "`uv remove` has no dry run"),
        ("uv pip list", "`uv pip list` is no command that can be judged"),
        ("uv", "`uv` is no command that can be judged"),
        ("pip add a", "`pip add a` is no command that can be judged"),
        ("uv sync --script a.py", "`--script` fills an environment of the script's own"),
        ("uv pip install --target x a", "`--target` installs outside of the environment"),
        ("uv pip install -tx a", "`--target` installs outside of the environment"),
        ("uv pip install --prefix=x a", "`--prefix` installs outside of the environment"),
        ("pip install --user a", "`--user` installs outside of the environment"),
        ("pip install --targ x a", "`--target` installs outside of the environment"),
        ("pip install --prefi=x a", "`--prefix` installs outside of the environment"),
        ("uv pip install -r -", "`-` in the command can be read only once"),
        ("uv pip install -r- a", "`-` in the command can be read only once"),
        ("uv pip install a -c /dev/stdin", "`/dev/stdin` in the command can be read only once"),
        ("uv pip install --exclude /dev/fd/63 a", "`/dev/fd/63` in the command can be read only"),
        ("uv pip sync -", "`-` in the command can be read only once"),
        ("pip install -r /proc/self/fd/0", "`/proc/self/fd/0` in the command can be read only"),
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


def test_other_names_of_an_option_are_that_option() -> None:
    assert understand(["pip", "install", "--no-dep", "a"]).has("--no-deps")
    assert understand(["pip", "install", "--no-dependencies", "a"]).has("--no-deps")
    assert understand(["uv", "pip", "install", "--force-reinstall", "a"]).has("--reinstall")
    assert understand(["uv", "pip", "install", "--exclude", "e", "a"]).has("--excludes")
    ambiguous = understand(["pip", "install", "--use", "a"])  # pip refuses it too
    assert [word.option for word in ambiguous.words] == ["--use", None]


def test_pip_is_told_of_another_interpreter_before_its_subcommand() -> None:
    words = shlex.split("pip --python venv install -U a")
    assert compose(understand(words)) == tuple(words)
