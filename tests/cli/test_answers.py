"""How an answer reaches whoever asked: streams that end, files that are none, errors in JSON."""

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.kit.commands import COMMAND, ROOT, envaudit
from tests.kit.environments import Outcome, run

CHECK = ("check", "vllm-0.17.0")


def shell(line: str) -> Outcome:
    """Run ``line`` in a shell; ``envaudit`` in it is the checkout's."""
    return run("/bin/sh", "-c", line.replace("envaudit", shlex.join(COMMAND), 1), folder=ROOT)


def test_a_full_disk_behind_stdout_is_said_and_no_fault_of_ours() -> None:
    answered = shell("envaudit check vllm-0.17.0 >/dev/full")
    assert answered.code == 3
    assert "the answer cannot be written" in answered.stderr


@pytest.mark.parametrize("words", ["--version", "--help", "check --help", "policy list --help"])
def test_so_is_it_where_help_and_version_are_asked_for(words: str) -> None:
    answered = shell(f"envaudit {words} >/dev/full")
    assert answered.code == 3
    assert "the answer cannot be written" in answered.stderr
    assert "Traceback" not in answered.stderr


def test_a_version_that_nobody_can_read_is_no_fault_of_ours() -> None:
    answered = shell("envaudit --version >&-")
    assert (answered.code, answered.stderr) == (128 + 13, "")


def test_a_closed_stdout_is_like_a_reader_that_has_left() -> None:
    answered = shell("envaudit check vllm-0.17.0 >&-")
    assert (answered.code, answered.stderr) == (128 + 13, "")


def test_a_reader_that_has_left_is_no_verdict() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    child = subprocess.run([*COMMAND, *CHECK], stdout=theirs, stderr=subprocess.PIPE, cwd=ROOT)  # noqa: PLW1510 - the code is what is looked at
    os.close(theirs)
    assert (child.returncode, child.stderr) == (128 + 13, b"")


def test_a_report_goes_into_a_pipe_and_does_not_replace_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    answered = shell(f"envaudit check vllm-0.17.0 -o {pipe} & cat {pipe}; wait")
    assert "does not match" in answered.stdout
    assert pipe.is_fifo()


def test_a_report_follows_the_link_that_a_user_names(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    link.symlink_to(target)
    assert envaudit(*CHECK, "-o", link, folder=ROOT).code == 1
    assert link.is_symlink()
    assert "does not match" in target.read_text()


def test_a_report_that_cannot_be_kept_is_told_in_the_format_asked_for(tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "report.json"
    answered = envaudit(*CHECK, "--format", "json", "-o", nowhere, folder=ROOT)
    assert answered.code == 3
    assert "cannot be written" in json.loads(answered.stdout)["errors"][0]["message"]


@pytest.mark.parametrize(
    "words",
    [
        ("check", "--nonsense", "--format", "json"),
        ("check", "--format=json", "--nonsense"),
        ("nonsense", "--format", "json"),
        ("why", "--format", "json"),
    ],
)
def test_a_wrong_call_is_told_in_json_if_that_was_asked_for(words: tuple[str, ...]) -> None:
    answered = envaudit(*words)
    assert answered.code == 2
    report = json.loads(answered.stdout)
    assert report["exit_code"] == 2
    assert report["errors"][0]["message"]
    assert report["command"] == words[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("prod",), "`prod` is no flag for uv"),
        (("--", "six==1.16.0"), "`six==1.16.0` is no flag for uv"),
        (("--", "--system"), "`--system` cannot be given to uv here"),
        (("--", "--target", "x"), "`--target` cannot be given"),
        (("--", "--python=x"), "`--python` cannot be given"),
        (("--", "--dry-run"), "`--dry-run` cannot be given"),
        (("--", "-r", "x"), "`--requirements` cannot be given"),
    ],
)
def test_nothing_strays_into_the_command_that_fix_prints(
    words: tuple[str, ...], message: str
) -> None:
    answered = envaudit("fix", *words)
    assert answered.code == 2
    assert message in answered.stderr
