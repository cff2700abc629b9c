"""What touches the outside, found in source text: files, processes, output, the end of the run.

Every question takes a source tree, so that a test can plant a violation in a copy of the package
and see it found.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

# Methods of pathlib.Path that ask or change the disk, under names that nothing else here has.
_DISK_METHODS = frozenset(
    {"read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "glob", "rglob", "walk"}
    | {"exists", "is_file", "is_dir", "is_symlink", "is_mount", "is_fifo", "is_socket"}
    | {"is_block_device", "is_char_device", "is_junction", "samefile", "readlink", "resolve"}
    | {"absolute", "expanduser", "stat", "lstat", "mkdir", "rmdir", "unlink", "touch", "rename"}
    | {"symlink_to", "hardlink_to", "chmod", "lchmod", "cwd", "home", "scandir"}
)
_BUILTINS = frozenset(
    {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint"}
    | {"globals", "locals", "vars"}
)
_ENDS = frozenset({"exit", "quit", "SystemExit"})
_STREAMS = frozenset({"stdin", "stdout", "stderr", "exit", "__stdout__", "__stderr__"})
# Modules that reach nothing, or by attributes that are looked at: whatever else is imported is a
# finding, since a list of what is dangerous always lacks one. `os` and `sys` are judged by word.
_HARMLESS = frozenset(
    {"__future__", "abc", "ast", "base64", "binascii", "bisect", "collections", "configparser"}
    | {
        "contextlib",
        "copy",
        "csv",
        "dataclasses",
        "datetime",
        "decimal",
        "difflib",
        "enum",
        "errno",
    }
    | {"fnmatch", "fractions", "functools", "gc", "graphlib", "hashlib", "heapq", "html", "io"}
    | {"itertools", "json", "marshal", "math", "operator", "os", "pathlib", "platform", "posixpath"}
    | {"re", "secrets", "shlex", "signal", "stat", "string", "struct", "sys", "sysconfig"}
    | {"textwrap", "threading", "time", "tomllib", "traceback", "types", "typing", "unicodedata"}
    | {"urllib", "warnings", "zlib"}
    | {"envaudit", "networkx", "packaging", "tomlkit", "typer", "uv"}
)
_HARMLESS_OF_URLLIB = "urllib.parse"
# What a module has that reaches another one, or opens what its name does not say.
_REACHES = {
    "io": frozenset({"FileIO", "open_code"}),
    "pathlib": frozenset({"os", "io"}),
    "shlex": frozenset({"os", "sys"}),
    "sys": frozenset({"modules"}),
    "traceback": frozenset({"print_exc", "print_exception", "print_last", "print_stack"}),
}
_HARMLESS_OF_OS = frozenset({"geteuid", "fspath", "sep", "PathLike"})
_DOORS = "doors/"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Exception:
    """What one file may use, and why."""

    words: frozenset[str]
    reason: str


_EXCEPTIONS = {
    "cli/__init__.py": _Exception(
        words=frozenset({"os", "sys.stdout", "sys.stderr", "sys.exit"}),
        reason="the one place that leaves",
    ),
    "cli/answering.py": _Exception(
        words=frozenset({"os", "sys.stdout", "sys.stderr"}), reason="the one place that prints"
    ),
    "cli/meter.py": _Exception(
        words=frozenset({"sys.stderr"}), reason="a line that is written over, and no answer"
    ),
    "cli/options.py": _Exception(
        words=frozenset({"os", "cwd"}), reason="the shell's part of a call is read here"
    ),
    "__init__.py": _Exception(words=frozenset({"importlib"}), reason="public names, lazily"),
    "__main__.py": _Exception(words=frozenset({"sys.exit"}), reason="the front door"),
    "uv/scratch.py": _Exception(
        words=frozenset({"mkdir", "symlink_to", "write_text", "tempfile", "zipfile"}),
        reason="scratch folders, and wheels and records in them",
    ),
    "commands/changing.py": _Exception(
        words=frozenset({"SystemExit"}), reason="a change that is told to end is undone first"
    ),
    "readers/host.py": _Exception(words=frozenset({"socket"}), reason="the machine's name"),
}


def openings(tree: Path) -> tuple[str, ...]:
    """Return ``file:line: word`` for everything outside of the doors that touches the outside."""
    return tuple(
        f"{name}:{line}: {word}"
        for name, module in read_tree(tree)
        if not name.startswith(_DOORS)
        for line, word in _touching(module)
        if word not in _allowed(name)
    )


def unused_exceptions(tree: Path) -> tuple[str, ...]:
    """Return the exceptions above that no line of ``tree`` needs any more."""
    used = {name: {word for _, word in _touching(module)} for name, module in read_tree(tree)}
    return tuple(
        f"{name}: {word}"
        for name, exception in sorted(_EXCEPTIONS.items())
        for word in sorted(exception.words - used.get(name, set()))
    )


def read_tree(tree: Path) -> Iterator[tuple[str, ast.Module]]:
    """Yield the path, relative to ``tree``, and the parsed text of each module."""
    for path in sorted(tree.rglob("*.py")):
        yield path.relative_to(tree).as_posix(), _parse(path.read_text(encoding="utf-8"))


@lru_cache(maxsize=1024)
def _parse(text: str) -> ast.Module:
    return ast.parse(text)


def _allowed(name: str) -> frozenset[str]:
    return _EXCEPTIONS[name].words if name in _EXCEPTIONS else frozenset()


def _touching(module: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in _BUILTINS | _ENDS:
                yield node.lineno, name
            case ast.Attribute() if (word := _reached(node)) is not None:
                yield node.lineno, word
            case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id="os" | "sys"), name, *_]):
                if not _is_spelled_out(name):
                    yield node.lineno, "getattr"
            case ast.Call(func=ast.Attribute(attr="replace"), args=[_], keywords=[]):
                yield node.lineno, "replace"  # Path.replace; that of text takes two
            case ast.Import() | ast.ImportFrom():
                yield from _imported(node)
            case _:
                pass


def _is_spelled_out(name: ast.expr) -> bool:
    """Return whether a looked-up word is one that reaches nothing."""
    return isinstance(name, ast.Constant) and name.value == "_base_executable"


def _reached(node: ast.Attribute) -> str | None:
    """Return by which word an attribute reaches the outside, if it does."""
    match node:
        case ast.Attribute(value=ast.Name(id="disk" | "disk_write")):
            return None  # through the door
        case ast.Attribute(value=ast.Name(id="sys"), attr=name) if name in _STREAMS:
            return f"sys.{name}"
        case ast.Attribute(value=ast.Name(id="os"), attr=name):
            return None if name in _HARMLESS_OF_OS else "os"
        case ast.Attribute(value=ast.Name(id=head), attr=name) if name in _REACHES.get(head, ()):
            return f"{head}.{name}"
        case ast.Attribute(attr=name) if name in _DISK_METHODS or name == "open":
            return name
        case _:
            return None


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield from ((node.lineno, word) for word in _taken(node.module or "", alias.name))
        return
    for alias in node.names:
        head = alias.name.partition(".")[0]
        if not _is_harmless(alias.name):
            yield node.lineno, head
        if head in {"os", *_REACHES} and alias.asname is not None:
            yield node.lineno, f"{head} under another name"


def _taken(source: str, name: str) -> Iterator[str]:
    """Yield by which words ``from source import name`` reaches the outside, if it does."""
    head = source.partition(".")[0]
    if not _is_harmless(f"{source}.{name}" if source == "urllib" else source):
        yield head
    if name == "*":
        yield f"all of {source}"
    if head == "os" and name not in _HARMLESS_OF_OS:
        yield "os"
    if source == "sys" and name in _STREAMS:
        yield f"sys.{name}"
    if source in {"io", "builtins"} and name in _BUILTINS:
        yield name
    if name in _REACHES.get(source, ()):
        yield f"{source}.{name}"


def _is_harmless(module: str) -> bool:
    head = module.partition(".")[0]
    return module == _HARMLESS_OF_URLLIB if head == "urllib" else head in _HARMLESS
