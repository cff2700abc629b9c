"""The environment that uv is asked about, named so that nothing of it runs."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """An environment, and the base interpreter under it.

    ``--prefix ROOT --python BASE`` gives the plan that ``--python ROOT`` gives, and starts BASE
    alone: no ``.pth`` file and no customize module of the environment runs (measured).
    """

    root: Path
    base: Path

    @property
    def options(self) -> tuple[str, ...]:
        """The options by which uv is told."""
        return "--prefix", str(self.root), "--python", str(self.base)
