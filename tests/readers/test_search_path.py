"""The import path, in the interpreter's order, by files alone."""

from pathlib import Path

import pytest

from envaudit.model.layout import Scope
from envaudit.model.snapshot import Snapshot
from envaudit.readers.environment import read_environment, read_folder
from tests.kit.bare import Bare, make_prefix, make_venv, put
from tests.kit.environments import base_interpreter, make_environment, run
from tests.kit.judging import judge

SITE = "lib/python3.11/site-packages"
VISIBLE = "include-system-site-packages = true"


def sites(snapshot: Snapshot) -> list[tuple[str, Scope]]:
    """Return the import path."""
    assert snapshot.layout is not None
    return [(site.path, site.scope) for site in snapshot.layout.sites]


@pytest.fixture
def base(tmp_path: Path) -> Bare:
    """Return the prefix of a base interpreter."""
    return make_prefix(tmp_path / "base")


def test_a_virtual_environment_has_its_own_folder_alone(bare: Bare) -> None:
    (bare.root / "lib64").symlink_to("lib")

    assert sites(bare.read(HOME="/nobody")) == [(SITE, Scope.OWN)]


def test_two_real_library_folders_are_two(bare: Bare) -> None:
    put(bare.root / "lib64/python3.11/site-packages/six-1.17.0.dist-info/METADATA", "Name: x\n")
    bare.record("six-1.16.0.dist-info")

    assert sites(bare.read()) == [(SITE, Scope.OWN)]
    assert stranded(bare.read()) == (SITE.replace("lib", "lib64", 1),)


def test_where_the_standard_library_lies_in_lib64_that_comes_first(tmp_path: Path) -> None:
    put(tmp_path / "base/lib64/python3.11/os.py")
    put(tmp_path / "base/bin/python3.11")
    bare = make_venv(tmp_path / "bare", f"home = {tmp_path}/base/bin")
    other = bare.root / "lib64/python3.11/site-packages"
    put(other / "six-1.17.0.dist-info/METADATA", "Name: six\nVersion: 1.17.0\n")
    bare.record("six-1.16.0.dist-info")

    found = bare.read()

    assert sites(found) == [(SITE.replace("lib", "lib64", 1), Scope.OWN), (SITE, Scope.OWN)]
    assert stranded(found) == ()
    (finding,) = (item for item in judge(found) if item.code == "distribution-duplicate")
    assert "the live one is `six 1.17.0`" in finding.message


def stranded(snapshot: Snapshot) -> tuple[str, ...]:
    assert snapshot.layout is not None
    return snapshot.layout.stranded


def test_own_then_user_then_base(tmp_path: Path, base: Bare) -> None:
    bare = make_venv(tmp_path / "bare", f"home = {base.root}/bin", VISIBLE)
    user = tmp_path / "user" / SITE
    user.mkdir(parents=True)

    assert sites(bare.read(PYTHONUSERBASE=str(tmp_path / "user"))) == [
        (SITE, Scope.OWN),
        (str(user), Scope.USER),
        (str(base.site), Scope.BASE),
    ]


def test_the_order_is_that_of_a_real_interpreter(tmp_path: Path) -> None:
    root = make_environment(tmp_path / "real")
    configuration = root / "pyvenv.cfg"
    text = configuration.read_text("utf-8").replace("= false", "= true")
    configuration.write_text(text, "utf-8")
    library = f"python{base_interpreter().name.removeprefix('python')}"
    user = tmp_path / "user" / "lib" / library / "site-packages"
    user.mkdir(parents=True)
    for name in ("first", "second", "third"):
        (tmp_path / name).mkdir()
    put(root / "lib" / library / "site-packages" / "b.pth", f"{tmp_path}/second\n")
    put(root / "lib" / library / "site-packages" / "a.pth", f"# x\n{tmp_path}/third\n/nowhere\n")
    variables = {"PYTHONPATH": str(tmp_path / "first"), "PYTHONUSERBASE": str(tmp_path / "user")}

    shown = run(
        root / "bin/python", "-c", "import sys; print(*sys.path, sep='\\n')", variables=variables
    )
    real = [
        line
        for line in shown.stdout.splitlines()[1:]
        if "site-packages" in line or str(tmp_path) in line
    ]
    snapshot = read_environment(root, variables=variables)

    assert [str(root / path) for path, _ in sites(snapshot)] == real


def test_a_configuration_without_the_key_sees_the_base(tmp_path: Path, base: Bare) -> None:
    bare = make_venv(tmp_path / "bare")
    (bare.root / "pyvenv.cfg").write_text(f"home = {base.root}/bin\n", "utf-8")

    assert [scope for _, scope in sites(bare.read())] == [Scope.OWN, Scope.BASE]


def test_the_user_site_can_be_switched_off(tmp_path: Path, base: Bare) -> None:
    user = tmp_path / "home" / ".local" / SITE
    user.mkdir(parents=True)
    home = str(tmp_path / "home")

    assert [scope for _, scope in sites(base.read(HOME=home))] == [Scope.USER, Scope.OWN]
    assert [scope for _, scope in sites(base.read(HOME=home, PYTHONNOUSERSITE="1"))] == [Scope.OWN]


def test_what_the_variable_names_hides_what_is_installed(bare: Bare, tmp_path: Path) -> None:
    bare.record("six-1.16.0.dist-info")
    put(tmp_path / "first/six-1.10.0.dist-info/METADATA", "Name: six\nVersion: 1.10.0\n")

    snapshot = bare.read(PYTHONPATH=f":relative:{tmp_path}/first")

    assert [(record.version, record.scope) for record in snapshot.distributions] == [
        ("1.10.0", Scope.VARIABLE)
    ]
    assert [record.version for record in snapshot.shadowed] == ["1.16.0"]


def test_of_the_base_counts_what_the_environment_lacks(tmp_path: Path, base: Bare) -> None:
    bare = make_venv(tmp_path / "bare", f"home = {base.root}/bin", VISIBLE)
    bare.record("six-1.16.0.dist-info")
    base.record("six-1.10.0.dist-info")
    base.record("idna-3.7.dist-info")

    snapshot = bare.read()

    assert [(record.label, record.scope) for record in snapshot.distributions] == [
        ("idna 3.7", Scope.BASE),
        ("six 1.16.0", Scope.OWN),
    ]


def test_one_folder_under_two_spellings_is_one(bare: Bare, tmp_path: Path) -> None:
    (tmp_path / "other").symlink_to(bare.site)
    bare.put("again.pth", f"../site-packages\n{tmp_path}/other\n.\n")
    bare.record("six-1.16.0.dist-info")

    assert sites(bare.read()) == [(SITE, Scope.OWN)]


def test_path_files_of_named_folders_are_not_processed(bare: Bare, tmp_path: Path) -> None:
    put(tmp_path / "named" / "more.pth", f"{tmp_path}/further\nimport nothing\n")
    (tmp_path / "further").mkdir()
    bare.put("x.pth", f"{tmp_path}/named\n")

    snapshot = bare.read()

    assert [path for path, _ in sites(snapshot)] == [SITE, str(tmp_path / "named")]
    assert snapshot.hooks == ()


def test_a_path_file_with_odd_bytes_does_no_harm(bare: Bare) -> None:
    bare.put("x.pth", b"\xef\xbb\xbf\xff\xfe\n/nowhere\x00/at/all\n" + b"/a" * 9000 + b"\n")

    assert sites(bare.read()) == [(SITE, Scope.OWN)]


def test_an_environment_named_through_a_link_reads_the_same(bare: Bare, tmp_path: Path) -> None:
    bare.record("six-1.16.0.dist-info")
    bare.put("inside.pth", f"{bare.root}/share\n")
    (bare.root / "share").mkdir()
    (tmp_path / "link").symlink_to(bare.root)

    through = read_environment(tmp_path / "link")

    assert through == bare.read()
    assert sites(through) == sites(bare.read()) == [(SITE, Scope.OWN), ("share", Scope.PATH_FILE)]


def test_a_plain_folder(tmp_path: Path) -> None:
    put(tmp_path / "layer/six-1.16.0.dist-info/METADATA", "Name: six\nVersion: 1.16.0\n")
    put(tmp_path / "layer/x.pth", "import nothing\n")

    snapshot = read_folder(tmp_path / "layer")

    assert [record.folder for record in snapshot.distributions] == ["six-1.16.0.dist-info"]
    assert [record.site for record in snapshot.distributions] == ["."]
    assert snapshot.interpreter.version == ""
    assert "python_version" not in snapshot.interpreter.marker_values()
    assert snapshot.hooks == ()


def test_a_plain_folder_may_tell_its_interpreter_by_its_path(tmp_path: Path) -> None:
    layer = tmp_path / "python" / "lib" / "python3.12" / "site-packages"
    put(layer / "x.pth", "import nothing\n")

    snapshot = read_folder(layer)

    assert snapshot.interpreter.version == "3.12"
    assert [hook.path for hook in snapshot.hooks] == ["x.pth"]


def test_a_plain_folder_of_a_named_interpreter(bare: Bare, tmp_path: Path) -> None:
    (tmp_path / "layer").mkdir()

    assert read_folder(tmp_path / "layer", environment=bare.root).interpreter.version == "3.11.7"
