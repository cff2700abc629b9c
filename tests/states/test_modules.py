"""Modules that hide each other, that nobody owns, or that this interpreter does not load."""

import os
import sys
from pathlib import Path

import pytest

from tests.kit.environments import install, make_environment, run
from tests.kit.repairing import find, loud, repair
from tests.kit.wheels import Wheel, build_wheel


def test_a_package_hides_a_file_of_another_distribution(environment: Path, index: Path) -> None:
    build_wheel(Wheel("python-docx", "1.1.2", modules={"docx/__init__.py": ""}), index)
    build_wheel(Wheel("docx", "0.2.4", modules={"docx.py": ""}), index)
    install(environment, "python-docx", "docx", index=index)

    assert loud(environment) == {"warning[module-shadowed]": ("docx", "python-docx")}

    done = repair(environment, index)

    assert done.plan.commands[0][-1] == "docx"
    assert done.left == {}


def test_backports_of_the_standard_library_are_named_and_uninstalled(
    environment: Path, index: Path
) -> None:
    build_wheel(Wheel("enum34", "1.1.10", modules={"enum/__init__.py": ""}), index)
    build_wheel(Wheel("uuid", "1.30", modules={"uuid.py": ""}), index)
    install(environment, "enum34", "uuid", index=index)

    found = {item.distributions for item in find(environment)}
    assert found == {("enum34",), ("uuid",)}
    assert repair(environment, index).left == {}


def test_names_that_differ_in_case_alone_are_named(environment: Path, index: Path) -> None:
    build_wheel(Wheel("pycryptodome", "3.21.0", modules={"Crypto/__init__.py": ""}), index)
    build_wheel(Wheel("crypto", "1.4.1", modules={"crypto/__init__.py": ""}), index)
    install(environment, "pycryptodome", "crypto", index=index)

    assert loud(environment) == {"warning[module-casefold]": ("crypto", "pycryptodome")}


def test_a_namespace_that_another_folder_hides_is_an_error(
    environment: Path, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (site / "ns" / "one").mkdir(parents=True)
    (tmp_path / "path" / "ns").mkdir(parents=True)
    (tmp_path / "path" / "ns" / "__init__.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "path"))

    assert "error[namespace-split]" in loud(environment)


@pytest.mark.parametrize(
    ("path", "severity"),
    [
        ("planted.py", "warning"),
        ("planted/__init__.py", "warning"),
        ("six/extra.py", "warning"),
        ("six/md.cpython-{}-x86_64-linux-gnu.so", "error"),
        ("six/deep/planted.py", "warning"),
    ],
)
def test_what_nobody_brought_is_named(
    environment: Path, site: Path, index: Path, path: str, severity: str
) -> None:
    modules = {"six/__init__.py": "", "six/md.py": ""}
    build_wheel(Wheel("six", "1.0", modules=modules), index)
    install(environment, "six", index=index)
    planted = site / path.format(f"{sys.version_info.major}{sys.version_info.minor}")
    planted.parent.mkdir(exist_ok=True, parents=True)
    planted.write_text("")

    (finding,) = find(environment)

    assert (finding.code, finding.severity.value) == ("files-orphaned", severity)


def test_a_compiled_module_of_another_release_is_removed_by_name(
    environment: Path, site: Path, index: Path
) -> None:
    modules = {"charset/__init__.py": "", "charset/md.py": ""}
    build_wheel(Wheel("charset", "2.1.1", modules=modules), index)
    install(environment, "charset", index=index)
    (site / "charset" / "md.so").write_text("of 3.3.2")

    assert loud(environment) == {"error[files-orphaned]": ("charset",)}

    done = repair(environment, index)

    assert done.plan.commands == (("rm", "-r", "--", str(site / "charset" / "md.so")),)
    assert done.left == {}


def test_byte_code_and_what_makers_of_environments_put_there_are_nobodys_and_quiet(
    environment: Path, site: Path
) -> None:
    (site / "__pycache__").mkdir()
    (site / "__pycache__" / "six.cpython-311.pyc").touch()
    (site / "_virtualenv.py").touch()
    (site / "_virtualenv.pth").write_text("import _virtualenv")

    assert loud(environment) == {}


@pytest.mark.skipif(sys.platform != "linux", reason="names of Linux's extensions")
def test_a_compiled_module_of_another_python_is_named_and_comes_back(
    environment: Path, site: Path, index: Path
) -> None:
    minor = f"{sys.version_info.major}{sys.version_info.minor}"
    name = f"yaml/_yaml.cpython-{minor}-{os.uname().machine}-linux-gnu.so"
    build_wheel(Wheel("PyYAML", "6.0.2", modules={"yaml/__init__.py": "", name: ""}), index)
    install(environment, "pyyaml", index=index)
    (site / name).rename(site / "yaml" / f"_yaml.cpython-310-{os.uname().machine}-linux-gnu.so")

    found = {item.code for item in find(environment)}
    assert found == {"files-missing", "files-orphaned", "extension-abi"}

    done = repair(environment, index)

    assert done.left == {}
    assert (site / name).exists()


def test_a_wheel_for_another_platform_is_an_error(
    environment: Path, site: Path, index: Path
) -> None:
    build_wheel(Wheel("w", "1.0", modules={"w.py": ""}), index)
    install(environment, "w", index=index)
    wheel = site / "w-1.0.dist-info" / "WHEEL"
    wheel.write_text(wheel.read_text().replace("py3-none-any", "cp310-cp310-win_amd64"))

    assert loud(environment) == {"error[platform-mismatch]": ("w",)}
    assert repair(environment, index).left == {}

    wheel.write_text("Wheel-Version: 1.0\n")
    assert [item.severity.value for item in find(environment)] == ["info"]


def test_a_hook_that_lost_its_module_and_one_that_nobody_brought_are_removed(
    environment: Path, site: Path
) -> None:
    orphan = site / "distutils-precedence.pth"
    orphan.write_text('import os; __import__("_distutils_hack").add_shim()')
    planted = site / "zz.pth"
    mark = environment / "mark"
    planted.write_text(f"import pathlib; pathlib.Path({str(mark)!r}).touch()")

    hooks = [item for item in find(environment) if item.code == "startup-hook"]
    assert sorted(item.severity.value for item in hooks) == ["error", "warning"]

    done = repair(environment, None)

    assert done.plan.commands == (("rm", "-r", "--", str(orphan), str(planted)),)
    assert done.left == {}
    assert not mark.exists(), "no hook was ever run"


def test_an_interpreter_that_is_gone_is_named_and_the_rest_is_read(
    environment: Path, site: Path, index: Path
) -> None:
    build_wheel(Wheel("six", "1.0", modules={"six.py": ""}), index)
    install(environment, "six", index=index)
    (site / "six.py").unlink()
    python = environment / "bin" / "python"
    python.unlink()
    python.symlink_to("/nonexistent/python3.11")

    assert loud(environment) == {
        "error[interpreter-missing]": (),
        "error[files-missing]": ("six",),
    }


def test_an_environment_that_was_moved_is_named(tmp_path: Path) -> None:
    moved = make_environment(tmp_path / "before").rename(tmp_path / "after")

    assert loud(moved) == {"warning[environment-moved]": ()}


def test_base_packages_that_are_imported_are_an_info(tmp_path: Path, index: Path) -> None:
    base = make_environment(tmp_path / "base")
    build_wheel(Wheel("six", "1.0", modules={"six.py": ""}), index)
    install(base, "six", index=index)
    seeing = make_environment(tmp_path / "seeing")
    (base_site,) = base.glob("lib/*/site-packages")
    (site,) = seeing.glob("lib/*/site-packages")
    (site / "zz_base.pth").write_text(str(base_site))

    (finding,) = find(seeing)

    assert (finding.code, finding.severity.value) == ("outside-path", "info")
    assert run(seeing / "bin" / "python", "-c", "import six").code == 0
