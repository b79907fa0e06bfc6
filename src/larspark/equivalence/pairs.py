"""Strong equivalence: programs with the same bi-models (thesis Theorem 21).

A pair (L, R) with L ⊆ R counts as a bi-model if R is a model of P and L is a model of the reduct P^R. By Theorem 19
these are the bi-models of Def. 24 for LARS_bi; taken as the definition, the proof of Theorem 21 needs no
restriction of the formulas, because all it uses is that the reduct of a union is the union of the reducts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from larspark.equivalence.ordering import ordered
from larspark.equivalence.propositions import PropositionalClause
from larspark.equivalence.setting import as_at, as_fact_rule
from larspark.equivalence.solver import GateSolver, Literal, UnknownWorld
from larspark.language.tree import Rule
from larspark.semantics.interpretations import Atoms, TimedFact


class Pair(NamedTuple):
    """L ⊆ R, as atoms beyond the data."""

    left: Atoms
    right: Atoms


def pair_of_first_only(
    first: Sequence[PropositionalClause], second: Sequence[PropositionalClause], universe: Atoms
) -> Pair | None:
    """A bi-model of the first program that is none of the second."""
    solver = GateSolver()
    with solver.building():
        right = {atom: solver.unknown(avoid=2) for atom in ordered(universe)}
        left = {atom: solver.unknown(avoid=1) for atom in ordered(universe)}
        for atom in universe:
            solver.require([-left[atom], right[atom]])
        here, there = UnknownWorld(solver, left), UnknownWorld(solver, right)
        solver.require([_is_pair(solver, first, here, there)])
        solver.require([-_is_pair(solver, second, here, there)])
    chosen = solver.solve([*left.values(), *right.values()])
    if chosen is None:
        return None
    return Pair(*(frozenset(atom for atom in universe if literals[atom] in chosen) for literals in (left, right)))


def _is_pair(
    solver: GateSolver, clauses: Iterable[PropositionalClause], here: UnknownWorld, there: UnknownWorld
) -> Literal:
    return solver.all_of(
        solver.one_of(
            [
                -there.literal(clause.body),
                solver.all_of(
                    [
                        there.literal(clause.head),
                        solver.one_of([-here.literal(clause.body), here.literal(clause.head)]),
                    ]
                ),
            ]
        )
        for clause in clauses
    )


def separating_context(pair: Pair, right_is_model_of_other: bool) -> tuple[Rule, ...]:
    """The context of the proof of Theorem 21, for a pair that is a bi-model of one program and not of the other.

    If R is no model of the other program, the facts of R make R an answer stream of one of them only. Otherwise
    the facts of L, and rules by which the atoms of R \\ L imply each other, leave L and R as the only candidates.
    A ring of implications says the same as the rules between any two atoms.
    """
    if not right_is_model_of_other:
        return tuple(map(as_fact_rule, ordered(pair.right)))
    return (*map(as_fact_rule, ordered(pair.left)), *_ring(ordered(pair.right - pair.left)))


def _ring(atoms: Sequence[TimedFact]) -> list[Rule]:
    if len(atoms) < 2:
        return []
    return [Rule(as_at(*head), (as_at(*body),)) for body, head in pairwise((*atoms, atoms[0]))]
