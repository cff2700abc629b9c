"""What the source tree of an editable declares now: its record says what it declared back then.

Only what ``[project]`` of ``pyproject.toml`` says statically (PEP 621): a version that a build
computes, from tags of a version control as a rule, is another one with every commit.
"""

from collections.abc import Mapping
from pathlib import Path

from packaging.utils import canonicalize_name

from envaudit.core.redaction import redact_text
from envaudit.doors import disk
from envaudit.model.distribution import Tree

_LIMIT = 256 * 1024


def read_source_tree(folder: str, name: str) -> Tree | None:
    """Return what the tree at ``folder`` declares, if it is that of the distribution ``name``."""
    from envaudit.readers.policy_file import Source, parse_toml

    path = Path(folder, "pyproject.toml")
    try:
        text = disk.read_file(path, limit=_LIMIT).decode()
    except (disk.DiskError, UnicodeDecodeError):
        return None
    document = parse_toml(Source(text, str(path)), [])
    project = None if document is None else document.get("project")
    if not isinstance(project, dict) or not isinstance(project.get("name"), str):
        return None
    if canonicalize_name(project["name"]) != name:
        return None
    version = project.get("version")
    return Tree(
        path=folder,
        version=version if isinstance(version, str) else None,
        requires=_requires(project),
    )


def _requires(project: Mapping[str, object]) -> tuple[str, ...] | None:
    """Return the declared requirements; ``None`` where a build computes them, or fills them in."""
    dynamic, lines = project.get("dynamic"), project.get("dependencies", [])
    if not isinstance(lines, list) or (isinstance(dynamic, list) and "dependencies" in dynamic):
        return None
    texts = [line for line in lines if isinstance(line, str)]
    if any("{" in text for text in texts):  # hatchling: `other @ {root:uri}/../other`
        return None
    return tuple(redact_text(text) for text in texts)
