"""Propositional search on clingo: gates are rules, unknowns are choices, requirements are constraints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import clingo
from clingo.backend import Backend, HeuristicType

from larspark.equivalence.propositions import Conjunction, Holds, Negation, Proposition
from larspark.semantics.interpretations import TimedFact

Literal = int
"""An atom of clingo's back end; negative: its negation."""


class GateSolver:
    """Unknowns, gates over them, and clauses; more may be added between two solutions."""

    def __init__(self) -> None:
        self._control = clingo.Control(["--heuristic=Domain"])
        self._backend: Backend | None = None
        with self.building():
            self.true: Literal = self._atom()
            self._open.add_rule([self.true])

    @contextmanager
    def building(self) -> Iterator[None]:
        """Everything that adds to the program happens inside."""
        with self._control.backend() as backend:
            self._backend = backend
            try:
                yield
            finally:
                self._backend = None

    @property
    def _open(self) -> Backend:
        assert self._backend is not None, "nothing can be added outside of `building`"
        return self._backend

    def _atom(self) -> Literal:
        return self._open.add_atom()

    def unknown(self, avoid: int = 0) -> Literal:
        """A free truth value; those with a higher `avoid` are made false first, so that solutions are small."""
        atom = self._atom()
        self._open.add_rule([atom], choice=True)
        if avoid:
            self._open.add_heuristic(atom, HeuristicType.False_, 1, avoid, [])
        return atom

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        wanted = set(literals) - {self.true}
        if -self.true in wanted or any(-literal in wanted for literal in wanted):
            return -self.true
        if len(wanted) < 2:
            return wanted.pop() if wanted else self.true
        gate = self._atom()
        self._open.add_rule([gate], sorted(wanted))
        return gate

    def one_of(self, literals: Iterable[Literal]) -> Literal:
        return -self.all_of(-literal for literal in literals)

    def require(self, literals: Iterable[Literal]) -> None:
        """At least one of the literals is true."""
        clause = set(literals)
        if self.true not in clause:
            self._open.add_rule([], sorted(-literal for literal in clause if literal != -self.true))

    def solve(self, wanted: Iterable[Literal]) -> frozenset[Literal] | None:
        """Those of the wanted literals that are true in a solution, None if there is no solution."""
        with self._control.solve(yield_=True) as handle:
            model = handle.model()
            return None if model is None else frozenset(filter(model.is_true, wanted))


class UnknownWorld:
    """One interpretation among the unknowns, with a gate for each proposition asked about."""

    def __init__(self, solver: GateSolver, atoms: Mapping[TimedFact, Literal]) -> None:
        self.atoms = atoms
        self._solver = solver
        self._gates: dict[Proposition, Literal] = {}

    def literal(self, proposition: Proposition) -> Literal:
        """A literal that is true exactly when the proposition holds in this world."""
        match proposition:
            case bool():
                return self._solver.true if proposition else -self._solver.true
            case Holds(atom):
                return self.atoms[atom]
            case Negation(part):
                return -self.literal(part)
        gate = self._gates.get(proposition)
        if gate is None:
            parts = [self.literal(part) for part in proposition.parts]
            gate = self._solver.all_of(parts) if isinstance(proposition, Conjunction) else self._solver.one_of(parts)
            self._gates[proposition] = gate
        return gate
