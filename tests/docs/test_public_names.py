"""The public names: lazily loaded, typed, documented, each with an example that runs."""

import doctest
import inspect
import json
import sys
from pathlib import Path

import pytest

import envaudit
from tests.kit.commands import ROOT
from tests.kit.environments import run

NAMES = sorted(set(envaudit.__all__) - {"__version__"})


def test_they_are_what_the_design_says() -> None:
    assert NAMES == ["Snapshot", "diff", "evaluate", "load_policies", "read_environment", "resolve"]
    assert dir(envaudit) == sorted(envaudit.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_each_has_an_example_that_runs(name: str) -> None:
    item = getattr(envaudit, name)
    home = sys.modules[item.__module__]
    finder = doctest.DocTestFinder(recurse=False)
    runner = doctest.DocTestRunner()
    for example in finder.find(item, name, module=home, globs=vars(home).copy()):
        runner.run(example)

    assert runner.summarize(verbose=False).attempted > 0
    assert runner.failures == 0


@pytest.mark.parametrize("name", [name for name in NAMES if name != "Snapshot"])
def test_each_is_typed_whole(name: str) -> None:
    signature = inspect.signature(getattr(envaudit, name))

    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(envaudit.__file__).parent / "py.typed").is_file()


def test_importing_the_package_imports_nothing_of_it() -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import envaudit, json; "
        "print(json.dumps([name for name in sys.modules if name.startswith('envaudit.')])); "
        "envaudit.Snapshot; "
        "print(json.dumps([name for name in sys.modules if 'networkx' in name]))"
    )
    first, second = run(sys.executable, "-c", script).stdout.splitlines()

    assert json.loads(first) == []
    assert json.loads(second) == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = envaudit.nonsense


def test_a_type_checker_knows_their_types(tmp_path: Path) -> None:
    use = tmp_path / "use.py"
    use.write_text(
        "from pathlib import Path\n"
        "import envaudit\n"
        "snapshot: envaudit.Snapshot = envaudit.read_environment(Path('x'))\n"
        "wrong: int = envaudit.resolve(snapshot).roots()\n"
        "envaudit.diff(snapshot, 1)\n"
        "envaudit.evaluate(snapshot, envaudit.load_policies())\n",
        encoding="utf-8",
    )
    words = ("--strict", "--no-error-summary", "--cache-dir", tmp_path / "cache")
    outcome = run(sys.executable, "-m", "mypy", *words, use, folder=ROOT)

    lines = [line.split(":")[1] for line in outcome.stdout.splitlines() if ": error:" in line]
    assert lines == ["4", "5"], outcome.stdout
