"""The check ``startup-hook``."""

from dataclasses import replace

from envaudit.model.files import Files, Module
from envaudit.model.finding import Clear
from envaudit.model.layout import EnvironmentKind, Layout, Owner, Scope, Site
from envaudit.model.snapshot import Snapshot, StartupHook
from tests.kit.builders import snapshot
from tests.kit.judging import judge

SITE = "lib/python3.11/site-packages"
OWNED = StartupHook(
    path=f"{SITE}/distutils-precedence.pth",
    digest="sha256:1",
    lines=('__import__("_distutils_hack").add_shim()',),
    owner="setuptools",
)
PLANTED = StartupHook(path=f"{SITE}/zz.pth", digest="sha256:2", lines=("import os; os.x",))


def hooked(*hooks: StartupHook) -> Snapshot:
    return replace(snapshot("setuptools==75"), hooks=hooks)


def said(*hooks: StartupHook, baseline: Snapshot | None = None, files: Files | None = None) -> str:
    found = judge(hooked(*hooks), baseline=baseline, files=files)
    (severity,) = (item.severity.value for item in found if item.code == "startup-hook")
    return severity


def test_one_with_an_owner_is_an_info_and_one_without_a_warning() -> None:
    assert said(OWNED) == "info"
    assert said(PLANTED) == "warning"


def test_a_new_one_is_worse_by_one_degree() -> None:
    assert said(OWNED, baseline=hooked()) == "warning"
    assert said(PLANTED, baseline=hooked()) == "error"
    assert said(PLANTED, baseline=hooked(PLANTED)) == "warning"
    assert said(replace(PLANTED, digest="sha256:3"), baseline=hooked(PLANTED)) == "error"


def test_one_that_fails_at_every_start_is_an_error() -> None:
    hack = Module(name="_distutils_hack", path=f"{SITE}/_distutils_hack")

    assert said(OWNED, files=Files()) == "error"
    assert said(OWNED, files=Files(modules=(hack,))) == "info"


def test_only_what_nobody_owns_is_offered_to_be_deleted() -> None:
    remedies = {item.remedies for item in judge(hooked(OWNED, PLANTED)) if item.remedies}

    assert remedies == {(Clear(paths=(PLANTED.path,)),)}


def test_what_makers_of_environments_put_there_is_quiet() -> None:
    tool = StartupHook(path=f"{SITE}/_virtualenv.pth", digest="x", lines=("import _virtualenv",))

    assert {item.code for item in judge(hooked(tool))} == {"policy-none"}


def test_what_was_not_measured_is_not_said_to_be_absent() -> None:
    base = replace(OWNED, path="/usr/lib/python3/dist-packages/distutils-precedence.pth")

    assert said(base, files=Files()) == "info"


def test_the_hook_of_setuptools_without_a_list_of_files_is_its_own() -> None:
    hack = Module(name="_distutils_hack", path=f"{SITE}/_distutils_hack")

    assert said(replace(OWNED, owner=None), files=Files(modules=(hack,))) == "info"
    real = (
        "import os; var = 'SETUPTOOLS_USE_DISTUTILS'; enabled = os.environ.get(var, 'local') == "
        "'local'; enabled and __import__('_distutils_hack').add_shim();"
    )
    assert said(replace(OWNED, owner=None, lines=(real,))) == "info"
    assert said(replace(OWNED, owner=None, lines=(f"{real} import evil",))) == "warning"
    stranger = replace(OWNED, owner=None, path="lib/elsewhere/distutils-precedence.pth")
    assert said(stranger) == "warning"
    assert said(replace(OWNED, owner=None, lines=(*OWNED.lines, "import os; os.x"))) == "warning"


def test_what_the_operating_system_puts_into_its_standard_library_is_an_info() -> None:
    hook = StartupHook(path="lib/python3.11/sitecustomize.py", digest="sha256:1")
    layout = Layout(
        kind=EnvironmentKind.PREFIX,
        owner=Owner.SYSTEM,
        sites=(Site(path="lib/python3/dist-packages", scope=Scope.OWN),),
    )

    def severity(layout: Layout, baseline: Snapshot | None = None) -> str:
        found = judge(replace(hooked(hook), layout=layout), baseline=baseline)
        return next(item.severity.value for item in found if item.code == "startup-hook")

    assert severity(layout) == "info"
    assert severity(layout, baseline=hooked()) == "error"
    assert severity(replace(layout, owner=None)) == "warning"
