"""Remedies as a policy words them: ``align``, ``raise NAME``, ``remove NAME`` and the like."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from envaudit.model.finding import LookOn, Place, Remedy, Remove
from envaudit.rules.lens import Lens
from envaudit.rules.member import Member, beyond, bounded, parse_name
from envaudit.rules.table import ExpressionError, Table

_URL = re.compile(r"https?://[^\s/]+(?:/\S*)?|file:///\S+")


class Verb(StrEnum):
    """What is to be done."""

    ALIGN = "align"
    RAISE = "raise"
    LOWER = "lower"
    REMOVE = "remove"
    INDEX = "index"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One remedy of a rule, not yet of an environment."""

    verb: Verb
    name: str = ""
    """Normalised; empty for ``align``."""
    url: str = ""

    def __str__(self) -> str:
        """Write it as a policy does."""
        return " ".join(part for part in (self.verb.value, self.name, self.url) if part)


def read_wishes(
    table: Table, members: Iterable[Member], *, align: bool = False
) -> tuple[Wish, ...]:
    """Read ``remedies``; each names something that ``members`` cover. ``align``: allowed here."""
    known = tuple(members)
    return table.each_parsed("remedies", lambda text: _parse(text, known, align=align))


def _parse(text: str, members: tuple[Member, ...], *, align: bool) -> Wish:
    words = bounded(text).split()
    match words:
        case ["align"] if align:
            return Wish(verb=Verb.ALIGN)
        case ["raise" | "lower" | "remove" as verb, name]:
            return Wish(verb=Verb(verb), name=_covered(name, members))
        case ["index", name, url] if _URL.fullmatch(url):
            return Wish(verb=Verb.INDEX, name=_covered(name, members), url=url)
        case _:
            verbs = "`align`, " if align else ""
            raise ExpressionError(
                f"`{text}` is no remedy: {verbs}`raise NAME`, `lower NAME`, `remove NAME` or "
                "`index NAME URL`",
                0,
            )


def _covered(text: str, members: tuple[Member, ...]) -> str:
    name = parse_name(text)
    if not any(member.covers(name) for member in members):
        raise ExpressionError(f"`{text}` is not one that the rule speaks of", 0)
    return name


def grant(
    wishes: Iterable[Wish], lens: Lens, target: Callable[[str, bool], str | None]
) -> tuple[Remedy, ...]:
    """Turn wishes into remedies for the environment at hand; ``align`` is the caller's.

    ``target(name, up)`` returns the range in which the rule would hold, or ``None``.
    """
    remedies: list[Remedy] = []
    for wish in wishes:
        match wish.verb:
            case Verb.RAISE | Verb.LOWER:
                up = wish.verb is Verb.RAISE
                remedies.append(
                    Place(
                        name=wish.name,
                        specifier=_moved(wish.name, lens, target(wish.name, up), up=up),
                        up=up,
                    )
                )
            case Verb.REMOVE if wish.name in lens.subject.installed:
                remedies.append(Remove(name=wish.name))
            case Verb.INDEX:
                remedies.append(LookOn(name=wish.name, url=wish.url))
            case Verb.ALIGN | Verb.REMOVE:
                pass
    return tuple(dict.fromkeys(remedies))


def _moved(name: str, lens: Lens, wanted: str | None, *, up: bool) -> str:
    """Return the range that is wanted, and that is above (or below) what is installed."""
    records = lens.subject.installed.get(name, ())
    if not records:
        return wanted or ""
    present = records[-1].version.partition("+")[0]
    step = beyond(f"=={present}", up=up) if present else None
    return ",".join(part for part in (step, wanted) if part)
