"""The gate asks the installer that the command names: this uv, a project's uv, or pip."""

import json
import os
import shutil
from pathlib import Path

import pytest
from uv import find_uv_bin

from tests.kit.commands import ask, envaudit
from tests.kit.environments import (
    base_interpreter,
    copy_venv,
    find_site,
    install,
    make_environment,
    uv,
)
from tests.kit.hostile import write_program
from tests.kit.wheels import Wheel, build_wheel

PLAN = json.dumps({"schema": {"version": "preview"}, "changes": [], "dry_run": True})


def pretend(folder: Path, *, version: str = "99.0.0", plan: str = PLAN, code: int = 0) -> Path:
    """Write a program that says it is uv, and answers everything with ``plan``."""
    return write_program(
        folder / "uv",
        f'[ "$1" = --version ] && {{ echo "uv {version}"; exit; }}',
        f"echo '{plan}'",
        f"exit {code}",
    )


def on_path(folder: Path) -> dict[str, str]:
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def test_the_uv_on_the_path_and_the_uv_by_a_path_are_asked(healthy: Path, tmp_path: Path) -> None:
    program = pretend(tmp_path / "bin")
    words = ("pip", "install", "--python", healthy, "x")
    answered = envaudit("gate", "--", "uv", *words, variables=on_path(program.parent))
    assert (answered.code, answered.stdout) == (0, "pass: the command would change nothing\n")
    report = ask("gate", "--", program, *words)
    assert report["data"]["installer"] == str(program)
    assert ask("gate", "--", "bin/uv", *words, folder=tmp_path)["exit_code"] == 0


def test_a_uv_that_is_not_there_is_not_replaced_by_another(healthy: Path) -> None:
    answered = envaudit("gate", "--", "./uv", "pip", "install", "--python", healthy, "x")
    assert answered.code == 3
    assert "the uv of the command, `./uv`, is not there" in answered.stderr


def test_an_old_uv_cannot_answer(healthy: Path, tmp_path: Path) -> None:
    program = pretend(tmp_path / "bin", version="0.12.17")
    answered = envaudit("gate", "--", program, "pip", "install", "--python", healthy, "x")
    assert answered.code == 3
    assert "uv 0.12.17 prints no plan as JSON; 0.12.18 is the first that does" in answered.stderr
    assert "hint: upgrade it" in answered.stderr


def test_a_uv_that_others_may_replace_is_not_started(healthy: Path, tmp_path: Path) -> None:
    program = pretend(tmp_path / "bin")
    program.chmod(0o777)
    answered = envaudit("gate", "--", program, "pip", "install", "--python", healthy, "x")
    assert answered.code == 3
    assert "is not started" in answered.stderr


@pytest.mark.parametrize("plan", ["what", "", '{"changes": []}', "[" * 5000])
def test_garbage_on_stdout_never_passes(plan: str, healthy: Path, tmp_path: Path) -> None:
    program = pretend(tmp_path / "bin", plan=plan)
    for verb in (("pip", "install", "--python", healthy, "x"), ("sync",)):
        answered = envaudit("gate", "--", program, *verb)
        assert (answered.code, answered.stdout) == (3, "")


def plan(*rows: tuple[str, str, str]) -> str:
    changes = [dict(zip(("action", "name", "version"), row, strict=True)) for row in rows]
    return json.dumps({"schema": {"version": "preview"}, "changes": changes, "dry_run": True})


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ((("uninstalled", "torch", "2.9.1"), ("installed", "torch", "2.9.1")), 0),
        ((("uninstalled", "torch", "2.9.1.0"), ("installed", "torch", "2.9.1")), 0),
        ((("uninstalled", "torch", "2.9.0"), ("installed", "torch", "2.9.1")), 3),
        ((("uninstalled", "never-there", "1"),), 3),
        ((("installed", "a", "1"), ("installed", "a", "2")), 3),
        ((("installed", "a\x1b[2J", "1"),), 3),
        ((("installed", "a", "1; touch x"),), 3),
    ],
)
def test_a_plan_for_another_environment_or_of_nonsense_never_passes(
    rows: tuple[tuple[str, str, str], ...], code: int, healthy: Path, tmp_path: Path
) -> None:
    program = pretend(tmp_path / "bin", plan=plan(*rows))
    answered = envaudit("gate", "--", program, "pip", "install", "--python", healthy, "x")
    assert answered.code == code
    assert (answered.stdout == "") is (code == 3)
    assert "\x1b" not in answered.stdout + answered.stderr


@pytest.mark.parametrize("code", [1, 2, 101])
def test_an_answer_that_comes_with_an_error_never_passes(
    code: int, healthy: Path, tmp_path: Path
) -> None:
    for text, expected in ((PLAN, 3), ("", 1 if code == 1 else 3)):
        program = pretend(tmp_path / "bin", plan=text, code=code)
        answered = envaudit("gate", "--", program, "pip", "install", "--python", healthy, "x")
        assert answered.code == expected


def test_a_uv_that_is_killed_half_way_never_passes(healthy: Path, tmp_path: Path) -> None:
    program = write_program(
        tmp_path / "bin" / "uv",
        '[ "$1" = --version ] && { echo "uv 99.0.0"; exit; }',
        f"echo '{PLAN}'",
        "kill -KILL $$",
    )
    answered = envaudit("gate", "--", program, "pip", "install", "--python", healthy, "x")
    assert (answered.code, answered.stdout) == (3, "")
    assert "exit code -9" in answered.stderr


def test_a_uv_that_gives_no_answer_in_time_never_passes(healthy: Path, tmp_path: Path) -> None:
    program = write_program(
        tmp_path / "bin" / "uv",
        '[ "$1" = --version ] && { echo "uv 99.0.0"; exit; }',
        "exec tail -f /dev/null",
    )
    words = ("--timeout", "1", "--", program, "pip", "install", "--python", healthy, "x")
    answered = envaudit("gate", *words)
    assert (answered.code, answered.stdout) == (3, "")
    assert "gave no answer within 1 seconds" in answered.stderr


def test_python_m_uv_is_the_uv_beside_that_python_and_means_its_environment(
    healthy: Path, wheels: Path, tmp_path: Path
) -> None:
    """Seen with uv 0.13.9: `python -m uv` prefers its own interpreter even to VIRTUAL_ENV."""
    canary = tmp_path / "canary"
    (find_site(healthy) / "canary.pth").write_text(f"import os; os.mkdir({str(canary)!r})\n")
    shutil.copy(find_uv_bin(), healthy / "bin" / "uv")
    other = make_environment(tmp_path / "other")
    index = ("--no-index", "--find-links", wheels)
    words = (healthy / "bin" / "python", "-m", "uv", "pip", "install", *index, "torch==2.10.0")
    variables = {**os.environ, "VIRTUAL_ENV": str(other)}
    answered = envaudit("gate", "--format", "json", "--", *words, variables=variables)
    report = json.loads(answered.stdout)
    assert report["environment"]["path"] is None or "server" in report["environment"]["path"]
    assert report["environment"]["source"] == str(healthy)
    assert report["data"]["installer"] == str(healthy / "bin" / "uv")
    assert report["exit_code"] == 1
    assert not canary.exists()


@pytest.fixture
def project(tmp_path: Path, wheels: Path) -> Path:
    """Make a project with the healthy server's environment, synced."""
    folder = tmp_path / "project"
    folder.mkdir()
    write_project(folder, wheels, "vllm==0.16.0", "flashinfer-cubin==0.6.3")
    synced = uv("sync", "--quiet", "--python", base_interpreter(), folder=folder)
    assert synced.code == 0, synced.stderr
    return folder


def write_project(folder: Path, wheels: Path, *requirements: str) -> None:
    (folder / "pyproject.toml").write_text(
        f"""
[project]
name = "svc"
version = "1"
requires-python = ">=3.11"
dependencies = {list(requirements)!r}
[tool.uv]
package = false
no-index = true
find-links = ["{wheels}"]
"""
    )


def test_a_project_sync_is_judged_in_the_environment_that_uv_names(
    project: Path, wheels: Path
) -> None:
    answered = envaudit("gate", "--", "uv", "sync", folder=project)
    assert (answered.code, answered.stdout) == (0, "pass: the command would change nothing\n")
    write_project(project, wheels, "vllm==0.17.0", "flashinfer-cubin==0.6.3")
    report = ask("gate", "--", "uv", "sync", folder=project)
    assert report["environment"]["source"] == str(project / ".venv")
    assert report["exit_code"] == 1
    assert [item["code"] for item in report["findings"] if item["introduced"]] == ["compare"]
    assert "interpreter `" in report["notes"][-2]
    write_project(project, wheels, "vllm==0.17.0", "flashinfer-cubin==0.6.4")
    assert envaudit("gate", "--", "uv", "sync", folder=project).code == 0
    locked = envaudit("gate", "--", "uv", "sync", "--locked", folder=project)
    assert locked.code == 1
    assert "needs to be updated, but `--locked` was provided" in locked.stdout


def test_a_project_sync_of_another_environment_than_the_gates_is_a_mistake(
    project: Path, healthy: Path
) -> None:
    assert envaudit("gate", "-p", healthy, "--", "uv", "sync", folder=project).code == 2
    assert envaudit("gate", "-p", ".venv", "--", "uv", "sync", folder=project).code == 0


@pytest.mark.parametrize(
    ("action", "code", "words"),
    [("replace", 1, "itself would be changed (replace)"), ("create", 3, "would be created")],
)
def test_an_environment_that_would_not_stay_is_refused(
    action: str, code: int, words: str, project: Path, tmp_path: Path
) -> None:
    plan = {
        "schema": {"version": "preview"},
        "dry_run": True,
        "target": "project",
        "sync": {"environment": {"path": str(project / ".venv")}, "action": action, "changes": []},
    }
    program = pretend(tmp_path / "bin", plan=json.dumps(plan))
    answered = envaudit("gate", "--", program, "sync", folder=project)
    assert answered.code == code
    assert words in answered.stdout + answered.stderr


@pytest.fixture
def piped(tmp_path: Path, wheels: Path, venv_with_pip: Path) -> Path:
    """Make the healthy server in an environment that has a pip of its own."""
    environment = copy_venv(venv_with_pip, tmp_path / "piped")
    install(environment, "vllm==0.16.0", "flashinfer-cubin==0.6.3", index=wheels)
    return environment


def test_pip_is_asked_by_its_report_and_what_starts_is_said(piped: Path, wheels: Path) -> None:
    index = ("--no-index", "--find-links", wheels)
    for program in ((piped / "bin" / "pip",), (piped / "bin" / "python", "-m", "pip")):
        report = ask("gate", "--", *program, "install", *index, "vllm==0.17.0")
        assert report["environment"]["source"] == str(piped)
        assert [item["code"] for item in report["findings"] if item["introduced"]] == ["compare"]
        assert "is started, and with it " in report["notes"][0]
        right = report["plan"]["commands"][0]
        assert right[-1] == "flashinfer-cubin==0.6.4"
        assert envaudit("gate", "--", *right).code == 0
    report = ask("gate", "--", *program, "uninstall", "-y", "torch")
    assert report["exit_code"] == 1


def test_what_pip_brings_is_judged_by_its_own_metadata(piped: Path, wheels: Path) -> None:
    """The report tells what incoming distributions require: `--no-deps` hides nothing."""
    words = ("install", "--no-deps", "--no-index", "--find-links", wheels, "vllm==0.17.0")
    report = ask("gate", "--", piped / "bin" / "pip", *words)
    found = [item["distributions"] for item in report["findings"] if item["introduced"]]
    assert found == [["flashinfer-python", "vllm"], ["torch", "vllm"]]


def test_pip_builds_nothing_to_answer(piped: Path, wheels: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "setup.py").write_text(f"import os; os.mkdir({str(canary)!r})\n")
    (tmp_path / "more.txt").write_text(f"torch  # fine\n-e {tree}\n")
    (tmp_path / "all.txt").write_text("-r more.txt\n")
    index = ("--no-index", "--find-links", wheels)
    for words in ((tree,), ("-e", tree), ("-r", tmp_path / "all.txt"), ("--no-binary", "x", "x")):
        answered = envaudit("gate", "--", piped / "bin" / "pip", "install", *index, *words)
        assert answered.code == 3, answered.stdout
        assert "--allow-build" in answered.stderr
    assert not canary.exists()


def test_pip_is_not_started_where_what_runs_with_it_is_not_known(
    piped: Path, wheels: Path, tmp_path: Path
) -> None:
    (find_site(piped) / "sitecustomize.py").symlink_to("sitecustomize.py")
    hook = find_site(piped) / "huge.pth"
    hook.touch()
    os.truncate(hook, 1024**3)
    words = ("install", "--no-index", "--find-links", wheels, "vllm==0.17.0")
    answered = envaudit("gate", "--", piped / "bin" / "pip", *words, folder=tmp_path)
    assert answered.code == 3
    assert "is not started, since what runs with it is not known" in answered.stderr


def test_an_unsolvable_request_to_pip_is_refused_in_its_words(piped: Path, wheels: Path) -> None:
    build_wheel(Wheel("needy", "1", requires=("torch==99",)), wheels)
    words = ("install", "--no-index", "--find-links", wheels, "needy")
    answered = envaudit("gate", "--", piped / "bin" / "pip", *words)
    assert answered.code == 1
    assert answered.stdout.startswith("refused: pip itself refuses the command\n")
    assert "Cannot install needy==1" in answered.stdout


@pytest.mark.parametrize("told", ["option", "variable"])
def test_uv_that_goes_to_another_folder_changes_the_environment_there(
    told: str, wheels: Path, tmp_path: Path
) -> None:
    for folder in ("here", "there"):
        make_environment(tmp_path / folder / ".venv")
    index = ("--no-index", "--find-links", wheels)
    install(tmp_path / "there" / ".venv", "vllm==0.16.0", index=wheels)
    variables = {**os.environ, **({"UV_WORKING_DIR": "../there"} if told == "variable" else {})}
    options = ("--directory", "../there") if told == "option" else ()
    for where in ((), ("--python", ".venv"), ("--python", ".venv/bin/python")):
        answered = envaudit(
            *("gate", "--format", "json", "--", "uv", *options),
            *("pip", "uninstall" if where else "install"),
            *where,
            *(("torch",) if where else (*index, "torch==2.10.0")),
            variables=variables,
            folder=tmp_path / "here",
        )
        report = json.loads(answered.stdout)
        assert report["environment"]["path"] == str(tmp_path / "there" / ".venv")
        assert report["exit_code"] == 1


def test_pip_builds_no_archive_and_no_tree_with_extras_to_answer(
    piped: Path, tmp_path: Path
) -> None:
    (tmp_path / "setup.py").write_text("open('ran', 'w')")
    shutil.make_archive(str(tmp_path / "tree-1.0"), "gztar", tmp_path, "setup.py")
    for argument in (".[x]", "tree-1.0.tar.gz"):
        answered = envaudit(
            "gate", "--", piped / "bin" / "pip", "install", argument, folder=tmp_path
        )
        assert answered.code == 3
        assert f"pip would build `{argument}` to answer" in answered.stderr
    assert not list(tmp_path.rglob("ran"))


def test_pip_that_is_configured_to_install_elsewhere_is_not_judged_here(
    piped: Path, wheels: Path, tmp_path: Path
) -> None:
    configuration = tmp_path / "pip.conf"
    configuration.write_text("[global]\nindex-url = https://me:secret@host.example/wheels\n")
    words = ("gate", "--", piped / "bin" / "python", "-m", "pip", "install")
    index = ("--no-index", "--find-links", wheels, "vllm==0.16.0")
    variables = {**os.environ, "PIP_CONFIG_FILE": str(configuration)}
    answered = envaudit(*words, *index, variables=variables)
    assert answered.code == 0
    assert "pip is configured: global.index-url = https://" in answered.stderr
    assert "secret" not in answered.stderr
    answered = envaudit(words[0], "--format", "json", *words[1:], *index, variables=variables)
    found = "global.index-url = https://host.example/wheels"
    assert found in json.loads(answered.stdout)["data"]["indexes"]
    configuration.write_text("[install]\ntarget = /srv/other\n")
    answered = envaudit(*words, *index, variables=variables)
    assert answered.code == 2
    assert "pip's configuration says `install.target = /srv/other`" in answered.stderr
    for name in ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_PYTHON"):
        answered = envaudit(*words, *index, variables={**os.environ, name: "1"})
        assert answered.code != 0, name


def test_an_index_that_pip_cannot_reach_is_no_refusal(piped: Path) -> None:
    index = ("--index-url", "http://127.0.0.1:9/wheels", "--retries", "1")
    answered = envaudit("gate", "--", piped / "bin" / "pip", "install", *index, "nothing")
    assert (answered.code, answered.stdout) == (3, "")
    assert "connection broken" in answered.stderr


def test_pip_that_would_leave_two_versions_is_refused(piped: Path, wheels: Path) -> None:
    index = ("--no-index", "--find-links", wheels, "--no-deps")
    words = ("gate", "--", piped / "bin" / "pip", "install", *index, "-I")
    assert envaudit(*words, "torch==2.9.1").code == 0
    answered = envaudit(*words, "torch==2.10.0")
    assert answered.code == 1
    assert "installs torch 2.10.0 over 2.9.1 without removing that" in answered.stdout
