"""The open sets of the house, read from source text: their members, their lists, their codes.

A member is known by its shape, not by its file's name: a rule kind is a class with `from_table` and
`judge`, a check one with `judge` alone, a format a function `render` of a report, a command a
function that returns a `Report`.
"""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.architecture.doors import read_tree


def rule_kinds(tree: Path) -> frozenset[str]:
    """Return the modules in ``rules`` that hold a rule kind."""
    return _modules(tree, "rules", lambda module: {"from_table", "judge"} <= _methods(module))


def checks(tree: Path) -> frozenset[str]:
    """Return the modules in ``checks`` that hold a check."""
    return _modules(tree, "checks", lambda module: "judge" in _methods(module))


def formats(tree: Path) -> frozenset[str]:
    """Return the modules in ``render`` that hold a format."""
    return _modules(tree, "render", lambda module: "render" in _functions(module))


def commands(tree: Path) -> frozenset[str]:
    """Return the modules in ``commands`` that hold a command."""
    return _modules(tree, "commands", lambda module: any(_answers(node) for node in module.body))


def listed(tree: Path, file: str, name: str) -> frozenset[str]:
    """Return the modules that the value of ``name``, in ``file``, speaks of: ``module.Member``."""
    return frozenset(
        node.value.id
        for statement in dict(read_tree(tree))[file].body
        if isinstance(statement, ast.Assign | ast.AnnAssign) and name in _targets(statement)
        for node in ast.walk(statement)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    )


def called_commands(tree: Path) -> frozenset[str]:
    """Return the modules of ``commands`` that the command line imports and runs."""
    return frozenset(
        alias.name
        for name, module in read_tree(tree)
        if name.startswith("cli/")
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and node.module == "envaudit.commands"
        for alias in node.names
    )


def finding_codes(tree: Path) -> frozenset[str]:
    """Return every code that a ``Finding(code=…)`` in the source can carry.

    Raises:
        ValueError: a code is no constant, no name of one, and no parameter that is given one.
    """
    return frozenset(
        code
        for _, module in read_tree(tree)
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and _is_named(node.func, "Finding")
        for keyword in node.keywords
        if keyword.arg == "code"
        for code in _values(keyword.value, module)
    )


def _modules(tree: Path, room: str, is_member: Callable[[ast.Module], bool]) -> frozenset[str]:
    return frozenset(
        Path(name).stem
        for name, module in read_tree(tree)
        if Path(name).parent == Path(room) and Path(name).stem != "__init__" and is_member(module)
    )


def _methods(module: ast.Module) -> frozenset[str]:
    return frozenset().union(
        *(
            {node.name for node in statement.body if isinstance(node, ast.FunctionDef)}
            for statement in module.body
            if isinstance(statement, ast.ClassDef)
        )
    )


def _functions(module: ast.Module) -> frozenset[str]:
    return frozenset(node.name for node in module.body if isinstance(node, ast.FunctionDef))


def _answers(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and node.returns is not None
        and _is_named(node.returns, "Report")
    )


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _targets(statement: ast.Assign | ast.AnnAssign) -> frozenset[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return frozenset(target.id for target in targets if isinstance(target, ast.Name))


def _values(node: ast.expr, module: ast.Module) -> Iterator[str]:
    """Yield the texts that an expression can have, as far as one module tells."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _values(one, module)
            yield from _values(other, module)
        case ast.Name(id=name):
            found = [*_constants(name, module), *_arguments(name, module)]
            if not found:
                raise ValueError(f"line {node.lineno}: nothing tells what `{name}` can be")
            for value in found:
                yield from _values(value, module)
        case _:
            raise ValueError(f"line {node.lineno}: the code of a finding is computed")


def _constants(name: str, module: ast.Module) -> Iterator[ast.expr]:
    for statement in module.body:
        if isinstance(statement, ast.Assign) and name in _targets(statement):
            yield statement.value


def _arguments(name: str, module: ast.Module) -> Iterator[ast.expr]:
    """Yield what this module's calls give for the parameter ``name`` of this module's functions."""
    for function in ast.walk(module):
        if not isinstance(function, ast.FunctionDef):
            continue
        parameters = [argument.arg for argument in function.args.args]
        for call in ast.walk(module):
            if isinstance(call, ast.Call) and _is_named(call.func, function.name):
                if name in parameters and len(call.args) > parameters.index(name):
                    yield call.args[parameters.index(name)]
                yield from (item.value for item in call.keywords if item.arg == name)
