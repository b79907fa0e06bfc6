"""Seeded faults: small changes in the functions of a module, and how to put one into the running module."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.FloorDiv: ast.Mult,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Fault:
    """A change of one node in one function."""

    file: Path
    qualname: str
    line: int
    number: int
    """Which node of the function, in the order of `ast.walk`."""
    change: str
    which: int = 0
    """Which part of the node."""
    text: str = ""
    """The line it stands in, and the how manieth place of this change there it is."""

    def __str__(self) -> str:
        return f"{self.file.parent.name}/{self.file.name}:{self.line} {self.qualname}: {self.change} in {self.text}"


def faults_in(file: Path) -> Iterator[Fault]:
    """All faults of the functions of a file."""
    source = file.read_text()
    lines = source.splitlines()
    for qualname, function in _functions(ast.parse(source)):
        met: Counter[tuple[str, str]] = Counter()
        outside = {id(node) for part in _not_run(function) for node in ast.walk(part)}
        for number, node in enumerate(ast.walk(function)):
            if id(node) not in outside:
                line = node.iter.lineno if isinstance(node, ast.comprehension) else getattr(node, "lineno", 0)
                for which, change in _changes(node):
                    text = lines[line - 1].strip()
                    met[change, text] += 1
                    place = f"{text} ({met[change, text]})" if met[change, text] > 1 else text
                    yield Fault(file, qualname, line, number, change, which, place)


def _not_run(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What is no part of its code, or an assertion: types, defaults and decorators, `strict`."""
    yield from (*function.args.defaults, *filter(None, function.args.kw_defaults), *function.decorator_list)
    for node in ast.walk(function):
        match node:
            case ast.arg(annotation=ast.expr() as found) | ast.AnnAssign(annotation=found):
                yield found
            case ast.keyword(arg="strict", value=found):  # `zip(…, strict=True)` asserts what is so
                yield found
            case ast.FunctionDef(returns=ast.expr() as found):
                yield found


def _functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")


def _changes(node: ast.AST) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Compare(ops=ops):
            for which, operator in enumerate(ops):
                if type(operator) in COMPARISONS:
                    yield which, f"{type(operator).__name__} becomes {COMPARISONS[type(operator)].__name__}"
        case ast.BinOp(op=operator) if type(operator) in ARITHMETIC:
            yield 0, f"{type(operator).__name__} becomes {ARITHMETIC[type(operator)].__name__}"
        case ast.BoolOp():
            yield 0, "and becomes or, or becomes and"
        case ast.UnaryOp(op=ast.Not()):
            yield 0, "not is dropped"
        case ast.UnaryOp(op=ast.USub()):
            yield 0, "minus is dropped"
        case ast.Constant(value=bool(value)):
            yield 0, f"{value} becomes {not value}"
        case ast.Constant(value=int(value)):
            yield 0, f"{value} becomes {value + 1}"
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            yield 0, f"{name} becomes {NAMES[name]}"
        case ast.comprehension(ifs=ifs):
            for which in range(len(ifs)):
                yield which, "a condition of a comprehension is dropped"
        case ast.If() | ast.IfExp() | ast.While():
            yield 0, "the condition is always true" if not isinstance(node, ast.While) else "the loop never runs"
            if not isinstance(node, ast.While):
                yield 1, "the condition is never true"
        case ast.Continue() | ast.Break():
            yield 0, "a jump is dropped"


def _changed(node: ast.AST, which: int) -> ast.AST:
    """The node with the change; it is exchanged in place where it stays of its kind."""
    match node:
        case ast.Compare(ops=ops):
            ops[which] = COMPARISONS[type(ops[which])]()
        case ast.BinOp():
            node.op = ARITHMETIC[type(node.op)]()
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.UnaryOp(operand=operand):
            return operand
        case ast.Constant(value=value):
            node.value = not value if isinstance(value, bool) else value + 1
        case ast.Call(func=ast.Name() as function):
            function.id = NAMES[function.id]
        case ast.comprehension(ifs=ifs):
            del ifs[which]
        case ast.If() | ast.IfExp():
            node.test = ast.copy_location(ast.Constant(value=which == 0), node.test)
        case ast.While():
            node.test = ast.copy_location(ast.Constant(value=False), node.test)
        case ast.Continue() | ast.Break():
            return ast.copy_location(ast.Pass(), node)
    return node


class _Exchange(ast.NodeTransformer):
    """Replaces the node of a number."""

    def __init__(self, wanted: ast.AST, which: int) -> None:
        self.wanted, self.which = wanted, which

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.wanted:
            return _changed(node, self.which)
        return self.generic_visit(node)


def put_in(fault: Fault, module: ModuleType) -> bool:
    """Exchange the code of the function in the running module; False if it is not a plain function there."""
    tree = ast.parse(fault.file.read_text())
    function = function_of(tree, fault.qualname)
    wanted = next(node for number, node in enumerate(ast.walk(function)) if number == fault.number)
    _Exchange(wanted, fault.which).visit(tree)
    return exchange(tree, fault, module)


def function_of(tree: ast.AST, qualname: str) -> ast.FunctionDef:
    return dict(_functions(tree))[qualname]


def exchange(tree: ast.Module, fault: Fault, module: ModuleType) -> bool:
    """Let the function of the fault run as it stands in a changed tree of its file."""
    target = _resolve(module, fault.qualname)
    if target is None:
        return False
    changed = _code_of(compile(ast.fix_missing_locations(tree), str(fault.file), "exec"), fault.qualname.split("."))
    if changed is None or changed.co_freevars != target.__code__.co_freevars:
        return False
    target.__code__ = changed
    return True


def _resolve(module: ModuleType, qualname: str) -> FunctionType | None:
    found: object = module
    for name in qualname.split("."):
        found = vars(found).get(name) if hasattr(found, "__dict__") else None
    if isinstance(found, property):
        found = found.fget
    elif isinstance(found, cached_property):
        found = found.func
    elif isinstance(found, classmethod | staticmethod):
        found = found.__func__
    found = getattr(found, "__wrapped__", found)
    return found if isinstance(found, FunctionType) else None


def _code_of(code: CodeType, path: list[str]) -> CodeType | None:
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and constant.co_name == path[0]:
            return constant if len(path) == 1 else _code_of(constant, path[1:])
    return None
