"""Pools, `p(1;2)`: a statement with pools stands for the statements that have one alternative of each.

Inside an aggregate, a choice or a conditional literal, the element is repeated and not the statement.
"""

from __future__ import annotations

from itertools import islice, product

from lark import Token, Tree

MOST = 10_000
"""How many rules one rule may stand for."""

POOL = "pool"
"""What a pool is called in the grammar."""
ELEMENTS = frozenset({"element", "choice_element", "conditional"})


def without_pools(tree: Tree[Token]) -> list[Tree[Token]]:
    """The parse trees that a parse tree with pools stands for; of too many, one more than the most."""
    if next(tree.find_data(POOL), None) is None:
        return [tree]
    return _alternatives(tree)


def _alternatives(tree: Tree[Token]) -> list[Tree[Token]]:
    if tree.data == POOL:
        return [one for child in tree.children if isinstance(child, Tree) for one in _alternatives(child)][: MOST + 1]
    columns: list[list[list[Tree[Token] | Token]]] = []
    for child in tree.children:
        if not isinstance(child, Tree):
            columns.append([[child]])
        elif child.data in ELEMENTS:
            columns.append([[*_alternatives(child)]])
        else:
            columns.append([[one] for one in _alternatives(child)])
    found = islice(product(*columns), MOST + 1)
    return [Tree(tree.data, [part for parts in row for part in parts], tree.meta) for row in found]
