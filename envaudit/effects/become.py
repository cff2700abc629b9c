"""Becoming the program that a report names: the last thing that a run of envaudit does."""

from typing import NoReturn

from envaudit.doors import process
from envaudit.model.report import Start


def become(start: Start) -> NoReturn:
    """Become the program of ``start``; nothing of envaudit goes on.

    Raises:
        UnreadableError: it cannot be started.
    """
    process.become(start.program, start.command, start.variables)
