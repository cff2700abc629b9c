"""``envaudit exec``: a good environment starts the program, and a bad one does not."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.kit.builders import distribution, snapshot
from tests.kit.commands import COMMAND, start_envaudit
from tests.kit.hostile import empty_environment, pretend_uv, write_program
from tests.kit.written import write_environment

GOOD = ("torch==2.9.1",)
BAD = (
    distribution("vllm==0.16.0", requires=("torch==2.9.1",)),
    "torch==2.10.0",
    "flashinfer-python==0.6.4",
    "flashinfer-cubin==0.6.3",
)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """Return an environment that passes."""
    return write_environment(snapshot(*GOOD), tmp_path / "good")


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """Return an environment that has two errors."""
    return write_environment(snapshot(*BAD), tmp_path / "bad")


def test_a_good_environment_starts_the_program_with_its_own_exit_code(good: Path) -> None:
    answered = start_envaudit("exec", "--python", good, "--", "/bin/sh", "-c", "echo up; exit 7")
    assert (answered.code, answered.stdout, answered.stderr) == (7, "up\n", "")


def test_the_program_is_the_same_process_with_its_arguments_and_its_input(good: Path) -> None:
    words = ("exec", "--python", str(good), "--", "sh", "-c", 'cat; echo "$$:$1"', "sh", "a -- b")
    with subprocess.Popen(
        [*COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        said, _ = child.communicate(b"in ")
    assert said.decode() == f"in {child.pid}:a -- b\n"


def test_signals_are_as_a_program_expects_them(good: Path) -> None:
    """Python ignores SIGPIPE: a program that inherits that does not end with its reader."""
    script = "sh -c 'kill -PIPE $$; echo survived'"
    answered = start_envaudit("exec", "--python", good, "--", "sh", "-c", script)
    assert "survived" not in answered.stdout


def test_a_bad_environment_is_refused_in_one_line(bad: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    answered = start_envaudit("exec", "--python", bad, "--", "/bin/touch", canary)
    assert (answered.code, answered.stdout) == (78, "")
    assert answered.stderr == (
        "refused: error[compare] `flashinfer-python 0.6.4` does not match `flashinfer-cubin 0.6.3`"
        " (and 1 more: `envaudit check` lists them)\n"
    )
    assert not canary.exists()


def test_a_refusal_is_an_envelope_where_json_is_asked_for(bad: Path, tmp_path: Path) -> None:
    answered = start_envaudit("exec", "--format", "json", "--python", bad, "--", "true")
    report = json.loads(answered.stdout)
    assert (report["command"], report["verdict"], report["exit_code"]) == ("exec", "fail", 78)
    kept = tmp_path / "report.json"
    words = ("--format", "json", "-o", kept, "--fail-on", "never")
    assert start_envaudit("exec", *words, "--python", bad, "--", "echo", "up").stdout == "up\n"
    assert json.loads(kept.read_text())["summary"]["errors"] == 2


@pytest.mark.parametrize(("choice", "code"), [("allow", 0), ("refuse", 78)])
def test_what_cannot_be_judged_follows_the_choice(choice: str, code: int, tmp_path: Path) -> None:
    words = ("exec", "--python", tmp_path / "gone", "--on-unknown", choice, "--", "echo", "up")
    answered = start_envaudit(*words)
    assert answered.code == code
    assert answered.stdout == ("up\n" if code == 0 else "")
    assert len(answered.stderr.splitlines()) == 1
    assert "gone" in answered.stderr


def test_a_check_that_takes_too_long_is_unknown(good: Path) -> None:
    words = ("--python", good, "--deadline", "0.001", "--", "echo", "up")
    answered = start_envaudit("exec", *words)
    assert (answered.code, answered.stdout) == (78, "")
    assert "no answer within 0.001 seconds" in answered.stderr
    assert start_envaudit("exec", "--on-unknown", "allow", *words).stdout == "up\n"


def test_the_alarm_does_not_ring_in_the_program(good: Path) -> None:
    script = "import signal; print(signal.getitimer(signal.ITIMER_REAL))"
    words = ("--deadline", "60", "--", COMMAND[0], "-c", script)
    assert start_envaudit("exec", "--python", good, *words).stdout == "(0.0, 0.0)\n"


@pytest.mark.parametrize(
    "words", [("--no-such-option", "--", "true"), (), ("--policy", "gone.toml", "--", "true")]
)
def test_a_mistake_in_the_call_is_a_refusal_whatever_the_choice(
    words: tuple[str, ...], good: Path
) -> None:
    choice = ("exec", "--python", good, "--on-unknown", "allow")
    assert start_envaudit(*choice, *words).code == 78


def test_a_program_that_is_not_there_is_127(good: Path) -> None:
    answered = start_envaudit("exec", "--python", good, "--", "no-such-program")
    assert answered.code == 127
    assert answered.stderr == "not started: the program `no-such-program` is not on `PATH`\n"
    assert start_envaudit("exec", "--python", good, "--", "./gone").code == 127


def test_what_cannot_be_started_is_refused(good: Path, tmp_path: Path) -> None:
    broken = write_program(tmp_path / "broken")
    broken.write_text("#!/no/such/interpreter\n")
    answered = start_envaudit("exec", "--python", good, "--", broken)
    assert answered.code == 78
    assert "cannot be started" in answered.stderr


def test_the_programs_of_the_environment_come_first_if_asked(good: Path) -> None:
    write_program(good / "bin" / "sh-of-here", 'echo "$PATH"')
    assert start_envaudit("exec", "--python", good, "--", "sh-of-here").code == 127
    answered = start_envaudit("exec", "--path", "--python", good, "sh-of-here")
    assert answered.stdout == f"{good}/bin:{os.environ['PATH']}\n"


def test_no_uv_is_asked(good: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    program = write_program(tmp_path / "pretended" / "uv", f"touch {canary}")
    variables = {**os.environ, **pretend_uv(tmp_path / "modules", program)}
    assert start_envaudit("exec", "--python", good, "--", "true", variables=variables).code == 0
    assert not canary.exists()


def test_an_empty_environment_passes_with_a_check_of_what_is_there(tmp_path: Path) -> None:
    place = empty_environment(tmp_path / "empty")
    assert start_envaudit("exec", "--python", place, "--", "true").code == 0


def test_without_a_standard_error_a_refusal_is_a_refusal(bad: Path) -> None:
    with subprocess.Popen(
        ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *COMMAND, "exec", "--python", str(bad), "true"]
    ) as child:
        assert child.wait() == 78


def test_a_report_that_cannot_be_kept_is_a_refusal(good: Path, tmp_path: Path) -> None:
    words = ("-o", tmp_path / "gone" / "report", "--python", good, "--", "echo", "up")
    assert start_envaudit("exec", *words).code == 78
