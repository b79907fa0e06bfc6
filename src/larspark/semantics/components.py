"""Cutting a program into parts that can be solved one after the other.

If the predicates of some rules do not depend on the others, the answer streams of the whole are those of the
lower part, each extended by the answer streams of the upper part given the lower one (the splitting set theorem;
it holds for the reduct of Def. 18 because bodies of the lower part and heads of the upper part do not mention each
other's predicates). Rules that add nothing, constraints above all, only reject: a body that does not hold is not
in the reduct, one that holds needs its head.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.facts import Signature
from larspark.language.traversal import atoms, walk
from larspark.language.tree import Formula, Program, Rule, WindowNode
from larspark.semantics.fixpoint import DefiniteComponent
from larspark.semantics.rules import OrderedRule, Signatures, recursive_aggregates


@dataclass(frozen=True)
class RuleLayer:
    """Rules for predicates that depend on each other, and the rules that can be checked once these are known."""

    own: Signatures
    rules: tuple[OrderedRule, ...]
    checks: tuple[OrderedRule, ...]
    definite: DefiniteComponent | None
    """The rules in the form that needs no enumeration, if they have it."""


def intensional(program: Program, predicates: Collection[str] | None = None) -> Signatures:
    """The signatures in heads; of the given predicates only, if any are given."""
    found = (atom.signature for rule in program.rules for atom in atoms(rule.head))
    return frozenset(signature for signature in found if predicates is None or signature.predicate in predicates)


@lru_cache(256)
def components(program: Program, derivable: Signatures) -> tuple[RuleLayer, ...]:
    """In an order in which each depends on earlier ones only."""
    import networkx as nx  # noqa: PLC0415 - explanations and the page import this module, few of them call it

    graph: nx.DiGraph[Signature] = nx.DiGraph()
    graph.add_nodes_from(derivable)
    for rule in program.rules:
        heads = _signatures(rule.head, derivable)
        graph.add_edges_from((below, head) for below in _below(rule, derivable) for head in heads)
        graph.add_edges_from((one, other) for one in heads for other in heads)  # solved together
    condensed = nx.condensation(graph)
    ordered = [frozenset(condensed.nodes[node]["members"]) for node in nx.lexicographical_topological_sort(condensed)]
    return tuple(_component(program, derivable, ordered, level) for level in range(max(1, len(ordered))))


def _component(program: Program, derivable: Signatures, ordered: list[frozenset[Signature]], level: int) -> RuleLayer:
    own = ordered[level] if ordered else frozenset()
    rules = tuple(OrderedRule.of(rule) for rule in program.rules if _signatures(rule.head, derivable) & own)
    aggregates = [part for rule in rules for part in recursive_aggregates(rule.rule, own)]
    if aggregates:
        raise Rejected([_recursive(part.origin) for part in aggregates])
    checks = tuple(
        OrderedRule.of(rule)
        for rule in program.rules
        if not _signatures(rule.head, derivable) and level == _level(_below(rule, derivable), ordered)
    )
    return RuleLayer(own, rules, checks, DefiniteComponent.of(rules, own))


def _level(below: Signatures, ordered: list[frozenset[Signature]]) -> int:
    """The last component that has one of these predicates."""
    return max((level for level, own in enumerate(ordered) if own & below), default=0)


def _signatures(head: Formula, derivable: Signatures) -> Signatures:
    return frozenset(atom.signature for atom in atoms(head)) & derivable


def _below(rule: Rule, derivable: Signatures) -> Signatures:
    """What the rule depends on; a window function may look at anything."""
    if any(isinstance(part, WindowNode) and part.sees_everything for part in walk(rule)):
        return derivable
    return frozenset(atom.signature for literal in rule.body for atom in atoms(literal)) & derivable


def _recursive(origin: Origin | None) -> Diagnostic:
    return Diagnostic(
        "E506",
        "The aggregate depends on a predicate that is derived from it.",
        "Aggregate over predicates of a lower stratum.",
        origin,
    )
