"""The check ``startup-hook``."""

from dataclasses import replace

from envaudit.model.files import Files, Module
from envaudit.model.finding import Clear
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
