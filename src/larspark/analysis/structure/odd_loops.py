"""Odd loops: cycles with an odd number of negations, which truth maintenance cannot handle (thesis sec. 6.2).

Between predicates a loop is easily odd without being one between atoms: in `get(M) :- not other(M).` and
`other(M) :- get(K), K != M.` one negation leads from `get(M)` to a *different* `get(K)`, which is an ordinary
choice. A loop counts here when one way round can come back to the same atom.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from larspark.analysis.analysis import Component
from larspark.analysis.passes.warn_dead_rules import contradictory
from larspark.analysis.structure.dependencies import STRICT, Dependencies, Edge
from larspark.language.traversal import NodeT, rewrite, substitute
from larspark.language.tree import Atom, Constant, Node, Term, Variable

MOST_LOOPS = 5_000
"""So many loops of a component are looked at; if there are more, it counts as having an odd one."""


def odd_loops(dependencies: Dependencies, components: tuple[Component, ...]) -> Iterator[tuple[Edge, ...]]:
    """An odd loop of every component that has one."""
    for component in components:
        edges = dependencies.inside(component.predicates)
        if not any(edge.sign in STRICT for edge in edges):
            continue
        odd = (loop for loop in _loops(edges) if sum(edge.sign in STRICT for edge in loop) % 2)
        examined = list(islice(odd, MOST_LOOPS))
        closing = next((loop for loop in examined if _closes(loop)), ())
        if closing or len(examined) == MOST_LOOPS:
            yield closing or examined[0]


def _loops(edges: tuple[Edge, ...]) -> Iterator[tuple[Edge, ...]]:
    """Ways round that pass every predicate at most once, or every atom when all of them are ground."""
    atoms = [atom for edge in edges for atom in (edge.head_atom, edge.body_atom)]
    ground = all(isinstance(term, Constant) for atom in atoms for term in atom.args)
    parallel: dict[tuple[object, object], list[Edge]] = {}
    for edge in edges:
        ends = (edge.head_atom, edge.body_atom) if ground else (edge.head, edge.body)
        parallel.setdefault(ends, []).append(edge)
    import networkx as nx  # noqa: PLC0415 - takes long to import, and few programs have such components

    for nodes in nx.simple_cycles(nx.DiGraph(parallel.keys())):
        yield from product(*(parallel[pair] for pair in zip(nodes, [*nodes[1:], nodes[0]], strict=True)))


def _closes(loop: tuple[Edge, ...]) -> bool:
    """Can the last body atom be the first head atom, with all rule bodies on the way satisfiable together?"""
    same: dict[str, Term] = {}
    for number, edge in enumerate(loop):
        following = (number + 1) % len(loop)
        if not _unify(_apart(edge.body_atom, number), _apart(loop[following].head_atom, following), same):
            return False
    binding = {name: _representative(term, same) for name, term in same.items()}
    bodies = [_apart(edge.rule, number).body for number, edge in enumerate(loop)]
    return not contradictory(tuple(substitute(literal, binding) for body in bodies for literal in body))


def _apart(node: NodeT, number: int) -> NodeT:
    def step(part: Node) -> Node:
        return Variable(f"{part.name}'{number}") if isinstance(part, Variable) else part

    return rewrite(node, step)


def _unify(left: Atom, right: Atom, same: dict[str, Term]) -> bool:
    """Make two atoms of one predicate equal; computed arguments may have any value."""
    for a, b in zip(left.args, right.args, strict=True):
        one, other = _representative(a, same), _representative(b, same)
        match one, other:
            case Constant(x), Constant(y):
                if x != y:
                    return False
            case Variable(name), (Variable() | Constant()):
                if one != other:
                    same[name] = other
            case Constant(), Variable(name):
                same[name] = one
    return True


def _representative(term: Term, same: dict[str, Term]) -> Term:
    while isinstance(term, Variable) and term.name in same:
        term = same[term.name]
    return term
