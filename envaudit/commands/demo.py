"""``envaudit demo``: the founding incident from start to finish, in a scratch environment.

Everything in it happens: the wheels are built here (tiny, with the names, versions and requirements
of the real ones), uv installs them offline, the interpreter of the scratch environment imports
them, and envaudit's own commands find and repair what went wrong. Nothing is left behind.
"""

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from envaudit.commands import check, diff, fix, snapshot
from envaudit.commands.judging import Bench
from envaudit.commands.surroundings import Surroundings
from envaudit.doors import process
from envaudit.exits import Exit
from envaudit.model.document import Json
from envaudit.model.errors import Problem, UnreadableError
from envaudit.model.report import Report
from envaudit.readers import host
from envaudit.render.style import Style
from envaudit.render.text import render
from envaudit.uv.binary import Uv, find_uv
from envaudit.uv.execute import execute
from envaudit.uv.scratch import Wheel, build_wheel, scratch_folder

_SECONDS = 60.0
_FLASHINFER = "https://github.com/flashinfer-ai/flashinfer"
# What flashinfer does at import, in a few lines.
_REFUSES_TO_IMPORT = '''\
"""A stand-in for flashinfer: refuses to be imported beside a cubin package of another version."""

import flashinfer_cubin

__version__ = "{version}"
if flashinfer_cubin.__version__ != __version__:
    raise RuntimeError(
        f"flashinfer-cubin version ({{flashinfer_cubin.__version__}}) does not match "
        f"flashinfer version ({{__version__}})"
    )
'''
_WORKER = "import flashinfer; print('worker up, flashinfer', flashinfer.__version__)"


def _wheels() -> tuple[Wheel, ...]:
    pairs = (("0.16.0", "0.6.3", "2.9.1"), ("0.17.0", "0.6.4", "2.10.0"))
    wheels: list[Wheel] = []
    for vllm, flashinfer, torch in pairs:
        wheels += [
            Wheel(
                name="vllm",
                version=vllm,
                requires=(f"torch=={torch}", f"flashinfer-python=={flashinfer}"),
            ),
            Wheel(name="torch", version=torch),
            Wheel(
                name="flashinfer-python",
                version=flashinfer,
                requires=("torch",),
                repository=_FLASHINFER,
                modules={"flashinfer/__init__.py": _REFUSES_TO_IMPORT.format(version=flashinfer)},
            ),
            Wheel(
                name="flashinfer-cubin",
                version=flashinfer,
                repository=_FLASHINFER,
                modules={"flashinfer_cubin/__init__.py": f'__version__ = "{flashinfer}"\n'},
            ),
        ]
    return tuple(wheels)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One step of the story: what is done, what it said, and whether that was to be expected."""

    title: str
    command: str
    output: str
    code: int
    expected: int

    def lines(self, number: int) -> tuple[str, ...]:
        """Return the step as a person reads it."""
        return (
            f"{number}. {self.title}",
            f"   $ {self.command}",
            *(f"   {line}" for line in self.output.splitlines()),
            f"   exit {self.code}",
            "",
        )


def run(surroundings: Surroundings, *, tell: Callable[[str], None]) -> Report:
    """Tell the story, line by line to ``tell`` while it happens.

    Raises:
        EnvauditError: no uv, no interpreter, or no place for scratch files.
    """
    steps: list[_Step] = []
    with scratch_folder() as scratch:
        stage = _Stage.build(surroundings, scratch)
        for scene in _SCENES:
            step = scene(stage)
            steps.append(step)
            for line in step.lines(len(steps)):
                tell(f"{line}\n")
    failed = [step for step in steps if step.code != step.expected]
    outcome = (
        "nothing was left behind; try it on a real environment: `envaudit check --python FOLDER`"
        if not failed
        else f"the demo did not go as planned: {', '.join(step.title for step in failed)}"
    )
    return Report(
        command="demo",
        exit=Exit.FAULT if failed else Exit.PASS,
        lines=(outcome,),
        data={"steps": [_encode(step) for step in steps]},
    )


def _encode(step: _Step) -> Json:
    return {
        "title": step.title,
        "command": step.command,
        "output": step.output,
        "exit_code": step.code,
        "expected": step.expected,
    }


@dataclass(slots=True, kw_only=True)
class _Stage:
    """The scratch environment and the local index that the story plays in."""

    uv: Uv
    index: tuple[str, ...]
    """Flags that make uv install from the local wheels alone."""
    surroundings: Surroundings
    repair: str = ""
    """The command that ``fix`` printed."""

    @classmethod
    def build(cls, surroundings: Surroundings, scratch: Path) -> "_Stage":
        """Build the wheels, and an empty environment beside them."""
        wheels = scratch / "wheels"
        for wheel in _wheels():
            build_wheel(wheel, wheels)
        kept = {
            key: value
            for key, value in surroundings.variables.items()
            if not key.startswith(("UV_", "PIP_", "FLASHINFER_"))
        }
        variables = kept | {
            "UV_CACHE_DIR": str(scratch / "cache"),
            "UV_LINK_MODE": "copy",
            "UV_NO_CONFIG": "1",
            "UV_OFFLINE": "1",
            "ENVAUDIT_STATE": str(scratch / "state"),
        }
        stage = cls(
            uv=find_uv(variables, scratch, as_root=host.is_root()),
            index=("--no-index", "--find-links", str(wheels)),
            surroundings=Surroundings(
                variables=variables, folder=scratch, python=str(scratch / "server")
            ),
        )
        base = str(getattr(sys, "_base_executable", sys.executable))  # outside of any venv
        made = execute(stage.uv, "venv", "--quiet", "--python", base, stage.server)
        if made.code != 0:
            raise UnreadableError(
                Problem(message=f"uv made no scratch environment: {made.messages.strip()}")
            )
        return stage

    @property
    def server(self) -> str:
        """The folder of the scratch environment."""
        return self.surroundings.python or ""

    def call_uv(self, title: str, *arguments: str, expected: int = 0) -> _Step:
        """Run uv and record what it said."""
        end = 2  # the subcommand: `pip install`
        command = (*arguments[:end], "--python", self.server, *arguments[end:])
        index = self.index if arguments[1] == "install" else ()
        answer = execute(self.uv, *command, *index)
        return _Step(
            title=title,
            command=shlex.join(("uv", *arguments)),
            output=_told(answer),
            code=answer.code,
            expected=expected,
        )

    def start_worker(self, title: str, *, expected: int) -> _Step:
        """Start the scratch environment's interpreter, as a server would."""
        python = str(Path(self.server) / "bin" / "python")
        answer = self._run((python, "-c", _WORKER))
        last = _told(answer).splitlines()[-1:]
        return _Step(
            title=title,
            command="python -c 'import flashinfer'",
            output="\n".join(last),
            code=answer.code,
            expected=expected,
        )

    def run_repair(self, title: str) -> _Step:
        """Have a shell run what ``fix`` printed, as printed."""
        answer = self._run(("/bin/sh", "-c", self.repair))
        return _Step(
            title=title,
            command=self.repair,
            output=_told(answer),
            code=answer.code,
            expected=0,
        )

    def _run(self, command: Sequence[str]) -> process.Completed:
        return process.run(
            command,
            environment=self.surroundings.variables,
            folder=self.surroundings.folder,
            seconds=_SECONDS,
        )


def _told(answer: process.Completed) -> str:
    """Return what was said, without uv's remarks on its interpreter and its preparations."""
    lines = (answer.output + answer.messages).splitlines()
    return "\n".join(line for line in lines if not line.startswith(("Using ", "Prepared ")))


def _shown(title: str, command: str, report: Report, expected: Exit) -> _Step:
    return _Step(
        title=title,
        command=command,
        output=render(report, Style()),
        code=int(report.exit),
        expected=int(expected),
    )


def _install(stage: _Stage) -> _Step:
    title = "a server is set up"
    pins = ("vllm==0.16.0", "flashinfer-cubin==0.6.3")
    return stage.call_uv(title, "pip", "install", *pins)


def _works(stage: _Stage) -> _Step:
    return stage.start_worker("its worker starts", expected=0)


def _record(stage: _Stage) -> _Step:
    report = snapshot.run(stage.surroundings)
    return _shown("envaudit records it", "envaudit snapshot", report, Exit.PASS)


def _upgrade(stage: _Stage) -> _Step:
    title = "vllm is upgraded in place: flashinfer-python moves, flashinfer-cubin stays"
    return stage.call_uv(title, "pip", "install", "vllm==0.17.0")


def _uv_is_content(stage: _Stage) -> _Step:
    return stage.call_uv("uv sees nothing wrong", "pip", "check")


def _crashes(stage: _Stage) -> _Step:
    return stage.start_worker("the worker does not start any more", expected=1)


def _compare(stage: _Stage) -> _Step:
    report = diff.run(stage.surroundings, before=None, after=None)
    return _shown("envaudit says what changed, and why", "envaudit diff", report, Exit.DRIFT)


def _judge(stage: _Stage) -> _Step:
    report = check.run(stage.surroundings, Bench(), baseline="@last")
    return _shown(
        "envaudit says what is wrong", "envaudit check --baseline @last", report, Exit.FINDINGS
    )


def _repair(stage: _Stage) -> _Step:
    report = fix.run(stage.surroundings, Bench(), flags=stage.index)
    stage.repair = "" if report.plan is None else report.plan.shell
    return _shown("envaudit finds the command that repairs it", "envaudit fix", report, Exit.PASS)


def _run_it(stage: _Stage) -> _Step:
    return stage.run_repair("the command is run as printed")


def _judge_again(stage: _Stage) -> _Step:
    report = check.run(stage.surroundings, Bench(), baseline="@last")
    return _shown("envaudit is content", "envaudit check --baseline @last", report, Exit.PASS)


def _works_again(stage: _Stage) -> _Step:
    return stage.start_worker("the worker starts again", expected=0)


_SCENES: tuple[Callable[[_Stage], _Step], ...] = (
    _install,
    _works,
    _record,
    _upgrade,
    _uv_is_content,
    _crashes,
    _compare,
    _judge,
    _repair,
    _run_it,
    _judge_again,
    _works_again,
)
