"""Looking for facts under which an answer stream of one program is none of the other.

R is an answer stream of P ∪ F iff R is a model of P that contains F, and no S with F ⊆ S ⊂ R is a model of the reduct
P^R (Def. 18). Ordinary, uniform, relativised uniform and data equivalence all ask for F and R such that this holds
for one program and not for the other; they differ in the facts F may have. "No S" makes the question
harder than one search (Π₂ in general, thesis Table 5.1), so it is asked twice: one solver proposes F and R, another
looks for atoms without which R is still a model of the reduct, and excludes all proposals that these refute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from larspark.diagnostics import Diagnostic, Rejected
from larspark.equivalence.ordering import ordered
from larspark.equivalence.propositions import PropositionalClause, is_true, occurring
from larspark.equivalence.solver import GateSolver, Literal, UnknownWorld
from larspark.semantics.interpretations import Atoms, TimedFact


class Difference(NamedTuple):
    """R is an answer stream of the first program with the facts F, and not of the second."""

    facts: Atoms
    answer: Atoms


@dataclass(frozen=True)
class Facts:
    """Which facts may be added: any of `optional`; those of `data` are true only if they are added."""

    optional: Atoms = frozenset()
    data: Atoms = frozenset()

    @property
    def all(self) -> Atoms:
        return self.optional | self.data


def answer_of_first_only(
    first: Sequence[PropositionalClause],
    second: Sequence[PropositionalClause],
    universe: Atoms,
    facts: Facts,
    limit: int,
) -> Difference | None:
    """F and R, or None if there are none; the universe contains the facts."""
    proposals = _Proposals(first, second, universe, facts)
    for _ in range(limit):
        proposal = proposals.next()
        if proposal is None:
            return None
        unfounded = unfounded_atoms(first, proposal)
        if unfounded is None:
            return proposal
        proposals.refute(unfounded)
    raise Rejected([_given_up(limit)])


class _Proposals:
    """Pairs (F, R) with R a supported model of the first program that is no answer stream of the second."""

    def __init__(
        self, first: Sequence[PropositionalClause], second: Sequence[PropositionalClause], universe: Atoms, facts: Facts
    ) -> None:
        self._first = first
        self._solver = solver = GateSolver()
        with solver.building():
            self._added = {atom: solver.unknown(avoid=2) for atom in ordered(facts.all)}
            self._right = {
                atom: self._added[atom] if atom in facts.data else solver.unknown(avoid=1) for atom in ordered(universe)
            }
            for atom in facts.optional - facts.data:
                solver.require([-self._added[atom], self._right[atom]])
            self._model = UnknownWorld(solver, self._right)
            for clause in first:
                solver.require([-self._model.literal(clause.body), self._model.literal(clause.head)])
            self._require_support(universe)
            solver.require([-self._is_model(second), self._has_smaller(second)])

    def _is_added(self, atom: TimedFact) -> Literal:
        return self._added.get(atom, -self._solver.true)

    def _require_support(self, universe: Atoms) -> None:
        """An atom beyond F occurs in a head whose body holds: without it, R would still be a model of the reduct."""
        supports: dict[TimedFact, list[Literal]] = {atom: [] for atom in universe}
        for clause in self._first:
            for atom in dict.fromkeys(occurring(clause.head)):
                supports[atom].append(self._model.literal(clause.body))
        for atom, bodies in supports.items():
            self._solver.require([-self._right[atom], self._is_added(atom), *bodies])

    def _is_model(self, clauses: Sequence[PropositionalClause]) -> Literal:
        holds = self._model.literal
        return self._solver.all_of(self._solver.one_of([-holds(clause.body), holds(clause.head)]) for clause in clauses)

    def _has_smaller(self, clauses: Sequence[PropositionalClause]) -> Literal:
        """Some S with F ⊆ S ⊂ R is a model of the reduct."""
        solver = self._solver
        left = {atom: solver.unknown() for atom in self._right}
        for atom, literal in left.items():
            solver.require([-literal, self._right[atom]])
            solver.require([-self._is_added(atom), literal])
        here = UnknownWorld(solver, left)
        reduct = [
            solver.one_of([-self._model.literal(clause.body), -here.literal(clause.body), here.literal(clause.head)])
            for clause in clauses
        ]
        proper = solver.one_of(solver.all_of([self._right[atom], -left[atom]]) for atom in left)
        return solver.all_of([proper, *reduct])

    def next(self) -> Difference | None:
        chosen = self._solver.solve([*self._added.values(), *self._right.values()])
        if chosen is None:
            return None
        return Difference(
            frozenset(atom for atom, literal in self._added.items() if literal in chosen),
            frozenset(atom for atom, literal in self._right.items() if literal in chosen),
        )

    def refute(self, unfounded: Atoms) -> None:
        """Exclude every F and R for which R without these atoms is a model of the reduct that contains F.

        Either one of the atoms is not there or is a fact, or a rule of the reduct asks for one of them although its
        body does not need them. Rules whose heads do not mention them are satisfied anyway, since R is a model.
        """
        solver = self._solver
        with solver.building():
            without = UnknownWorld(solver, {**self._right, **dict.fromkeys(unfounded, -solver.true)})
            founding = [
                solver.all_of(
                    [
                        self._model.literal(clause.body),
                        without.literal(clause.body),
                        -without.literal(clause.head),
                    ]
                )
                for clause in self._first
                if not unfounded.isdisjoint(occurring(clause.head))
            ]
            solver.require(
                [
                    *(-self._right[atom] for atom in unfounded),
                    *(self._added[atom] for atom in unfounded if atom in self._added),
                    *founding,
                ]
            )


def unfounded_atoms(clauses: Sequence[PropositionalClause], proposal: Difference) -> Atoms | None:
    """R \\ S for some S with F ⊆ S ⊂ R that is a model of the reduct P^R, and with S as large as possible."""
    facts, right = proposal
    reduct = [clause for clause in clauses if is_true(clause.body, right)]
    solver = GateSolver()
    with solver.building():
        removed = {atom: solver.unknown(avoid=1) for atom in ordered(right - facts)}
        kept = {atom: -literal for atom, literal in removed.items()}
        known = dict.fromkeys(facts, solver.true)
        absent = {atom: -solver.true for clause in reduct for atom in _atoms(clause) if atom not in right}
        world = UnknownWorld(solver, {**absent, **known, **kept})
        for clause in reduct:
            solver.require([-world.literal(clause.body), world.literal(clause.head)])
        solver.require(removed.values())
    chosen = solver.solve(removed.values())
    return None if chosen is None else frozenset(atom for atom, literal in removed.items() if literal in chosen)


def _atoms(clause: PropositionalClause) -> list[TimedFact]:
    return [*occurring(clause.body), *occurring(clause.head)]


def _given_up(limit: int) -> Diagnostic:
    return Diagnostic(
        "E533",
        f"The comparison is not decided after {limit} refuted candidates.",
        "Shorten the timeline, compare fewer rules at a time, or raise the limit.",
    )
