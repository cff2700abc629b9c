"""What no resolver guarantees: flavours, and what comes in without its dependencies."""

import json
from pathlib import Path

import pytest

from tests.kit.commands import ask, envaudit, introduced
from tests.kit.environments import install, make_environment
from tests.kit.hostile import write_program
from tests.kit.wheels import Wheel, build_wheel


@pytest.fixture
def gpu(tmp_path: Path, index: Path) -> Path:
    """Make an environment with a torch for CUDA 12.8 and what was compiled against it."""
    for version in ("2.9.1", "2.10.0"):
        for label in ("", "+cu128", "+cu130", "+cpu"):
            build_wheel(Wheel("torch", f"{version}{label}"), index)
    for vision, torch in (("0.24.1", "2.9.1"), ("0.25.0", "2.10.0")):
        build_wheel(Wheel("torchvision", vision, requires=(f"torch=={torch}",)), index)
        build_wheel(Wheel("torchvision", f"{vision}+cu128", requires=(f"torch=={torch}",)), index)
    environment = make_environment(tmp_path / "gpu")
    install(environment, "torch==2.9.1+cu128", "torchvision==0.24.1+cu128", index=index)
    return environment


def gate(verb: str, environment: Path, index: Path, *words: str) -> tuple[str, ...]:
    local = ("--no-index", "--find-links", str(index))
    return "--", "uv", "pip", verb, "--python", str(environment), *local, *words


@pytest.mark.parametrize("label", ["", "+cu130", "+cpu"])
def test_a_flavour_is_not_changed_in_passing(label: str, gpu: Path, index: Path) -> None:
    build_wheel(Wheel("app", "1", requires=(f"torch==2.9.1{label}",)), index)
    if not label:
        for path in index.glob("torch-2.10.0*"):
            path.unlink()
        (index / "torch-2.9.1+cu128-py3-none-any.whl").unlink()
    report = ask("gate", *gate("install", gpu, index, "app", *(() if label else ("-U",))))
    found = [item for item in introduced(report) if item[0] == "flavour-changed"]
    assert ("flavour-changed", ["torch"]) in found
    assert report["exit_code"] == 1


@pytest.mark.parametrize("words", [("torch==2.9.1+cu130",), ("app", "torch==2.9.1+cu130")])
def test_a_flavour_that_the_command_names_is_asked_for(
    words: tuple[str, ...], gpu: Path, index: Path
) -> None:
    build_wheel(Wheel("app", "1", requires=("torch==2.9.1+cu130",)), index)
    report = ask("gate", *gate("install", gpu, index, *words))
    assert "flavour-changed" not in {item["code"] for item in report["findings"]}


def test_the_right_command_keeps_the_flavour(gpu: Path, index: Path) -> None:
    report = ask("gate", *gate("install", gpu, index, "torch==2.10.0"))
    assert ("flavour-changed", ["torch"]) in introduced(report)
    right = report["plan"]["commands"][0]
    assert "torch==2.10.0+cu128" in right
    moved = {step["name"]: step["after"] for step in report["plan"]["steps"]}
    assert moved == {"torch": "2.10.0+cu128", "torchvision": "0.25.0+cu128"}
    assert envaudit("gate", "--", *right).code == 0


def test_torch_is_not_moved_under_torchvision(gpu: Path, index: Path) -> None:
    report = ask("gate", *gate("install", gpu, index, "torch==2.10.0+cu128"))
    assert ["torch", "torchvision"] in [names for _, names in introduced(report)]
    right = report["plan"]["commands"][0]
    assert "torchvision==0.25.0+cu128" in right
    assert envaudit("gate", "--", *right).code == 0


def test_aiobotocore_follows_botocore(tmp_path: Path, index: Path) -> None:
    for botocore, aiobotocore in (("1.34.41", "2.11.2"), ("1.34.51", "2.12.1")):
        build_wheel(Wheel("botocore", botocore), index)
        pin = (f"botocore>={botocore},<1.34.{int(botocore[-2:]) + 1}",)
        build_wheel(Wheel("aiobotocore", aiobotocore, requires=pin), index)
    environment = make_environment(tmp_path / "aws")
    install(environment, "aiobotocore==2.11.2", index=index)
    report = ask("gate", *gate("install", environment, index, "-U", "botocore"))
    assert introduced(report) == [("requirement-unmet", ["aiobotocore", "botocore"])]
    right = report["plan"]["commands"][0]
    assert "aiobotocore==2.12.1" in right
    assert envaudit("gate", "--", *right).code == 0


def test_two_that_own_the_same_modules_are_not_put_together(tmp_path: Path, index: Path) -> None:
    """`PyJWT` and `jwt` both bring the module `jwt`; the pack knows, a dry run does not."""
    build_wheel(Wheel("PyJWT", "2.8.0"), index)
    build_wheel(Wheel("jwt", "1.3.1"), index)
    environment = make_environment(tmp_path / "web")
    install(environment, "PyJWT", index=index)
    report = ask("gate", *gate("install", environment, index, "jwt"))
    assert introduced(report) == [("exclusive", ["jwt", "pyjwt"])]
    (note,) = [note for note in report["notes"] if "overwrite files of others" in note]
    assert "was not judged" in note


@pytest.fixture
def small(tmp_path: Path, index: Path) -> Path:
    """Make an environment with one distribution; the index has what depends on it."""
    for version in ("1.0", "2.0"):
        build_wheel(Wheel("base", version), index)
    build_wheel(Wheel("helper", "1.0"), index)
    build_wheel(Wheel("app", "1.0", requires=("base==1.0",)), index)
    build_wheel(Wheel("app", "2.0", requires=("base==2.0", "helper")), index)
    environment = make_environment(tmp_path / "small")
    install(environment, "base==1.0", index=index)
    return environment


def test_what_comes_without_its_dependencies_is_looked_up(small: Path, index: Path) -> None:
    report = ask("gate", *gate("install", small, index, "--no-deps", "app==1.0"))
    assert report["exit_code"] == 0
    report = ask("gate", *gate("install", small, index, "--no-deps", "app==2.0", "base==2.0"))
    assert introduced(report) == [("incoming-missing", ["helper"])]
    right = report["plan"]["commands"][0]
    assert right[-1] == "helper==1.0"
    assert envaudit("gate", "--", *right).code == 0


def test_what_contradicts_what_stays_is_found_in_a_second_answer(small: Path, index: Path) -> None:
    build_wheel(Wheel("helper", "1.0"), index)
    words = ("--no-deps", "app==2.0", "helper")
    report = ask("gate", *gate("install", small, index, *words))
    assert introduced(report) == [("incoming-unmet", [])]
    evidence = "".join(report["findings"][0]["evidence"])
    assert "base==2.0" in evidence
    assert "coming in: app==2.0, helper==1.0" in evidence


def test_an_override_is_judged_by_what_it_overrides(
    small: Path, index: Path, tmp_path: Path
) -> None:
    overrides = tmp_path / "overrides.txt"
    overrides.write_text("base==1.0\n")
    words = ("--overrides", str(overrides), "app==2.0")
    assert introduced(ask("gate", *gate("install", small, index, *words))) == [
        ("incoming-unmet", [])
    ]


def test_a_sync_installs_no_dependencies_and_they_are_looked_up(
    small: Path, index: Path, tmp_path: Path
) -> None:
    requirements = tmp_path / "all.txt"
    requirements.write_text("app==2.0\nbase==2.0\n")
    report = ask("gate", *gate("sync", small, index, str(requirements)))
    assert introduced(report) == [("incoming-missing", ["helper"])]
    requirements.write_text("app==2.0\nbase==2.0\nhelper==1.0\n")
    assert ask("gate", *gate("sync", small, index, str(requirements)))["exit_code"] == 0


def test_what_cannot_be_looked_up_is_said_and_does_not_refuse(
    small: Path, index: Path, tmp_path: Path
) -> None:
    """A version that no index knows (a build of one's own) is no contradiction."""
    own = tmp_path / "own"
    own.mkdir()
    build_wheel(Wheel("base", "1.0+own"), own)
    install(small, "base==1.0+own", index=own)
    build_wheel(Wheel("loose", "1.0", requires=("base>=1",)), index)
    report = ask("gate", *gate("install", small, index, "--no-deps", "loose"))
    assert report["exit_code"] == 0
    assert [item["code"] for item in report["findings"]] == ["incoming-unverified"]


def test_overrides_in_a_configuration_cannot_be_left_out_and_are_said(
    small: Path, index: Path, tmp_path: Path
) -> None:
    (tmp_path / "uv.toml").write_text('override-dependencies = ["base==1.0"]\n')
    report = ask("gate", *gate("install", small, index, "app==2.0"), folder=tmp_path)
    assert [item["code"] for item in report["findings"]] == ["incoming-unverified"]
    evidence = report["findings"][0]["evidence"]
    assert evidence == ["because of: override-dependencies in the configuration"]


@pytest.mark.parametrize(
    "flags",
    ["--no-build", "--only-binary :all:", "--no-build-package helper", "--only-binary=a -q"],
)
def test_flags_against_builds_do_not_stand_in_the_way(flags: str, small: Path, index: Path) -> None:
    answered = envaudit("gate", *gate("install", small, index, *flags.split(), "helper"))
    assert answered.code == 0, answered.stderr
    answered = envaudit(
        "gate", *gate("install", small, index, "--no-deps", *flags.split(), "app==1")
    )
    assert answered.code == 0, answered.stderr


def test_a_build_that_a_requirements_file_asks_for_is_not_called_a_refusal(
    small: Path, index: Path, tmp_path: Path
) -> None:
    (tmp_path / "all.txt").write_text("--no-binary :all:\nhelper==1.0\n")
    answered = envaudit("gate", *gate("install", small, index, "-r", str(tmp_path / "all.txt")))
    assert answered.code == 3
    assert "allow it with `--allow-build`" in answered.stderr


def test_a_mistake_in_the_command_is_told_in_one_line_of_uv(small: Path, index: Path) -> None:
    answered = envaudit("gate", *gate("install", small, index, "--no-such-flag", "app"))
    assert answered.code == 3
    assert "error: unexpected argument '--no-such-flag' found" in answered.stderr
    assert "Usage" not in answered.stderr
    assert "\\n" not in answered.stderr


def test_a_lock_file_installs_what_it_lists_and_that_is_looked_up(
    small: Path, index: Path, tmp_path: Path
) -> None:
    lock = tmp_path / "pylock.prod.toml"
    lock.write_text(
        'lock-version = "1.0"\ncreated-by = "a person"\n'
        '[[packages]]\nname = "app"\nversion = "2.0"\n'
        f'wheels = [{{ url = "{(index / "app-2.0-py3-none-any.whl").as_uri()}", hashes = {{}} }}]\n'
    )
    report = ask("gate", *gate("install", small, index, "-r", str(lock)))
    assert report["exit_code"] == 1, report["errors"]
    assert introduced(report) == [("incoming-unmet", [])]


@pytest.mark.parametrize(
    ("option", "value"), [("--python-platform", "windows"), ("--python-version", "3.13")]
)
def test_an_answer_for_another_platform_is_said_to_be_one(
    option: str, value: str, small: Path, index: Path
) -> None:
    report = ask("gate", *gate("install", small, index, option, value, "helper"))
    assert report["exit_code"] == 0
    (found,) = [item for item in report["findings"] if item["code"] == "incoming-unverified"]
    assert f"because of: {option}" in found["evidence"]


def test_overrides_of_a_project_are_said(index: Path, tmp_path: Path) -> None:
    for version in ("1.0", "2.0"):
        build_wheel(Wheel("helper", version), index)
    build_wheel(Wheel("app", "1", requires=("helper==1.0",)), index)
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "a"\nversion = "1"\ndependencies = ["app"]\n[tool.uv]\n'
        f'no-index = true\nfind-links = ["{index}"]\noverride-dependencies = ["helper==2.0"]\n'
    )
    make_environment(tmp_path / ".venv")
    report = ask("gate", "--", "uv", "sync", folder=tmp_path)
    assert report["exit_code"] == 0, report["errors"]
    assert "incoming-unverified" in {item["code"] for item in report["findings"]}


def test_the_index_that_a_policy_names_is_looked_on_too(small: Path, tmp_path: Path) -> None:
    """Real uv needs a real index for that: a program that answers by its arguments stands in."""
    policy = tmp_path / "policy.toml"
    policy.write_text(
        '[policy]\nname = "p"\n[[rule]]\nid = "pair"\nreason = "r"\n'
        'compare = "base == friend"\n'
        'remedies = ["align", "index friend https://index.invalid/special"]\n'
    )
    rows = {"base": ("1.0", "2.0"), "friend": ("1.0", "2.0")}

    def plan(*names: str) -> str:
        changes = [
            {"name": name, "version": version, "action": action}
            for name in names
            for version, action in zip(rows[name], ("uninstalled", "installed"), strict=True)
        ]
        return json.dumps({"schema": {"version": "preview"}, "changes": changes, "dry_run": True})

    friends = tmp_path / "friends"
    build_wheel(Wheel("friend", "1.0"), friends)
    install(small, "friend", index=friends)
    program = write_program(
        tmp_path / "bin" / "uv",
        '[ "$1" = --version ] && { echo "uv 99.0.0"; exit; }',
        'case "$*" in',
        f"*special*friend==2.0*) echo '{plan('base', 'friend')}';;",
        f"*) echo '{plan('base')}';;",
        "esac",
    )
    words = ("--", program, "pip", "install", "-p", small, "base==2.0")
    report = ask("gate", "--policy", policy, *words)
    assert introduced(report) == [("compare", ["base", "friend"])]
    right = report["plan"]["commands"][0]
    assert right[3:5] == ["--index", "https://index.invalid/special"]
    assert right[-1] == "friend==2.0"
    assert envaudit("gate", "--policy", policy, "--", *right).code == 0


def test_hashes_are_not_checked_by_a_dry_run_and_that_is_said(
    small: Path, index: Path, tmp_path: Path
) -> None:
    requirements = tmp_path / "hashed.txt"
    requirements.write_text(f"helper==1.0 --hash=sha256:{'0' * 64}\n")
    words = gate("install", small, index, "--require-hashes", "-r", str(requirements))
    answered = envaudit("gate", *words)
    assert answered.code == 0, answered.stderr
    assert "a dry run has not checked them" in answered.stderr
