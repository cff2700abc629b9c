"""The exit codes: one enumeration, the same in every output format."""

from enum import IntEnum


class Exit(IntEnum):
    """What a run of ``envaudit`` says to the shell that called it."""

    PASS = 0
    """Judged, and it passes; written; nothing to do; a verified command was printed."""
    FINDINGS = 1
    """Findings of severity error; no plan was found."""
    USAGE = 2
    """Usage, configuration, an unknown name, or a policy that does not load."""
    UNKNOWN = 3
    """Could not judge: the environment, a snapshot or uv's answer is unreadable."""
    DRIFT = 4
    """``diff``: the two sides differ."""
    RESTORED = 5
    """A change that was made failed; the environment is back at its snapshot."""
    BROKEN = 6
    """A change failed and the environment is not back: a person is needed."""
    FAULT = 70
    """A fault of ours (``EX_SOFTWARE`` of ``sysexits.h``)."""
    BUSY = 75
    """Another change is under way, or a lock was not to be had in time (``EX_TEMPFAIL``)."""
    REFUSED = 78
    """``exec``: the program is not started, for whatever reason (``EX_CONFIG``). What
    ``RestartPreventExitStatus=78`` of systemd is about."""
    NOT_FOUND = 127
    """``exec``: the program is not there; what shells say then."""
