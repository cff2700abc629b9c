"""What decides, beside a command's own words, what uv would install and from where."""

import hashlib
import json
from dataclasses import dataclass

from envaudit.model.document import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class UvFile:
    """One configuration file of uv's that applies."""

    path: str
    """Absolute."""
    place: str
    """``named``, ``current folder``, ``parent folder``, ``user``, ``machine``."""
    digest: str | None
    """SHA-256 of its content; ``None``: it cannot be read."""
    options: tuple[tuple[str, Json], ...] = ()
    """What it says, secrets removed: keys of uv, those below ``pip`` as ``pip.key``; sorted."""
    fault: str | None = None
    """Why a person should look at it, a predicate: "belongs to another user"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UvSettings:
    """Everything that applies, the nearest file first."""

    files: tuple[UvFile, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    """The ``UV_*`` that are set, secrets removed, sorted."""

    def option(self, name: str) -> Json:
        """Return what the nearest file says of ``name``, such as ``pip.target``; else ``None``."""
        for file in self.files:
            for key, value in file.options:
                if key == name:
                    return value
        return None

    @property
    def digest(self) -> str:
        """What changes when a file or a variable does."""
        text = json.dumps(
            [[[file.path, file.digest] for file in self.files], self.variables], sort_keys=True
        )
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
