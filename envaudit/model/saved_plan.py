"""A plan that was judged, kept for the moment in which it is carried out."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPlan:
    """What may be done to which environment, and under which circumstances that was judged."""

    command: tuple[str, ...]
    """The user's command, secrets removed."""
    environment: str
    """Absolute path."""
    fingerprint: str
    """The environment's digest (``core.codec.digest``, contents included) when it was judged."""
    judged: str
    """When: RFC 3339, UTC."""
    tool: str
    installer: str
    """Absolute path of the installer that was asked."""
    settings: str
    """Digest of the configuration files and variables that decided about the answer."""
    installs: tuple[str, ...]
    """``name==version``, local label included, sorted."""
    uninstalls: tuple[str, ...]
    """Normalised names of what goes without a successor, sorted."""
    policies: tuple[tuple[str, str], ...]
    """The policy files that judged, with their digests."""
