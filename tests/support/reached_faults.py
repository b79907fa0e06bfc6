"""Which faults a program would meet: a note is taken before each statement in which one of them stands.

Other functions run as they are, which is much quicker than to measure the coverage of everything.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from types import ModuleType

from support.faults import Fault, exchange, function_of

NOTES = "__reached_faults__"


def note_down(faults: Mapping[int, Fault], module_of: Callable[[Fault], ModuleType]) -> set[int]:
    """The set to which the running functions add the numbers of the faults that they meet, from now on."""
    reached: set[int] = set()
    by_function = sorted(faults.items(), key=lambda item: (item[1].file, item[1].qualname))
    for (_, qualname), several in groupby(by_function, key=lambda item: (item[1].file, item[1].qualname)):
        group = list(several)
        first = group[0][1]
        module = module_of(first)
        vars(module)[NOTES] = reached
        tree = ast.parse(first.file.read_text())
        nodes = list(ast.walk(function_of(tree, qualname)))
        _insert_notes(nodes[0], {id(nodes[fault.number]): number for number, fault in group})
        exchange(tree, first, module)
    return reached


def _insert_notes(function: ast.AST, numbers: Mapping[int, int]) -> None:
    """Before every statement, for the nodes in it that are in no statement inside it."""
    for node in list(ast.walk(function)):
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                setattr(node, name, [part for one in statements for part in (*_notes(one, numbers), one)])


def _notes(statement: ast.stmt, numbers: Mapping[int, int]) -> Iterable[ast.stmt]:
    found = [numbers[id(node)] for node in _own(statement) if id(node) in numbers]
    return ast.parse("\n".join(f"{NOTES}.add({number})" for number in found)).body


def _own(statement: ast.stmt) -> Iterable[ast.AST]:
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]
