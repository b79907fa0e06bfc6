"""Offline pre-processing: SLD-resolution with future premises over the empty history (AAAI 2020, Sect. 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from larspark.diagnostics import Diagnostic, Rejected
from larspark.hypothetical.offline.preconditions import RENAMED, Precondition, instantiate, minimal, readable
from larspark.hypothetical.theory import findings
from larspark.hypothetical.theory.bounds import TimeBound, close
from larspark.hypothetical.theory.conditions import rewritten
from larspark.hypothetical.theory.structure import recursion_of
from larspark.hypothetical.theory.terms import (
    ABSOLUTE,
    NOW,
    Key,
    Literal,
    Substitution,
    Term,
    Time,
    Var,
    apply,
    names,
    time_names,
    unify_literals,
)
from larspark.hypothetical.theory.theory import Clause, Theory
from larspark.language import tree
from larspark.language.traversal import variables

STEP_LIMIT = 50_000
"""Resolution steps after which a goal is taken to be too big to unfold."""

RECURSION_LIMIT = 100
"""Calls of a predicate by itself after which the recursion is taken to have no end."""


@dataclass(frozen=True)
class _Pending:
    """An intensional goal literal with the intensional literals it was called for."""

    literal: Literal
    ancestors: tuple[Literal, ...] = ()


@dataclass(frozen=True)
class _Derivation:
    goals: tuple[_Pending, ...]
    bound: Substitution
    premises: tuple[Literal, ...] = ()
    rigid: tuple[Literal, ...] = ()
    negated: tuple[Literal, ...] = ()
    conditions: tuple[tree.Comparison, ...] = ()
    bounds: tuple[TimeBound, ...] = ()


@dataclass
class Resolution:
    """Unfolds goals over a theory; `bound` limits how often a predicate may call itself along a branch."""

    theory: Theory
    bound: int | None = None
    limit: int = STEP_LIMIT
    _fresh: Iterator[int] = field(default_factory=lambda: count(1))

    def computed_answers(self, goal: Literal) -> list[Precondition]:
        """All computed answers with premises over the empty history."""
        return list(self._computed(goal))

    def preconditions(self, goal: Literal) -> tuple[Precondition, ...]:
        """P_Q: those with minimal premises, modulo instantiation."""
        return minimal(self.computed_answers(goal))

    def _computed(self, goal: Literal) -> Iterator[Precondition]:
        stack = [self._call(_Derivation((), {}), goal, ())]
        steps = 0
        while stack:
            derivation = stack.pop()
            if not derivation.goals:
                general = Precondition(
                    goal, derivation.premises, derivation.rigid, derivation.negated, derivation.conditions
                )
                found = instantiate(general, derivation.bounds, derivation.bound)
                if found is not None:
                    yield readable(found)
                continue
            steps += 1
            if steps > self.limit:
                raise Rejected([findings.too_many_preconditions(self.limit)])
            stack.extend(reversed(list(self._resolvents(derivation))))

    def _endless(self, literal: Literal) -> Diagnostic:
        recursion = recursion_of(self.theory, literal.key)
        if recursion is None:
            raise AssertionError(f"{literal} calls itself without a recursion")
        return findings.does_not_terminate(recursion.shown, recursion.origin)

    def _resolvents(self, derivation: _Derivation) -> Iterator[_Derivation]:
        first, *rest = derivation.goals
        literal = apply(first.literal, derivation.bound)
        path = tuple(apply(ancestor, derivation.bound) for ancestor in first.ancestors)
        if literal in path:  # a minimal proof never needs an atom to prove itself
            return
        calls = sum(ancestor.key == literal.key for ancestor in path)
        if self.bound is not None and calls > self.bound:
            return
        if self.bound is None and calls > RECURSION_LIMIT:
            raise Rejected([self._endless(literal)])
        if literal.key in self.theory.inputs:
            yield _Derivation(
                tuple(rest),
                derivation.bound,
                (*derivation.premises, literal),
                derivation.rigid,
                derivation.negated,
                derivation.conditions,
                (*derivation.bounds, *self._stream_bounds(literal)),
            )
        for clause in self.theory.defining[literal.key]:
            renamed = self._renamed(clause)
            bound = dict(derivation.bound)
            if not unify_literals(renamed.head, literal, bound):
                continue
            bounds = (*derivation.bounds, *renamed.bounds)
            if renamed.bounds:
                closed = close(b.apply(bound) for b in bounds)
                if closed is None:
                    continue
                bounds = tuple(closed.listed())
            extended = _Derivation(
                tuple(rest),
                bound,
                derivation.premises,
                derivation.rigid,
                (*derivation.negated, *renamed.negated),
                (*derivation.conditions, *renamed.conditions),
                bounds,
            )
            for called in reversed(renamed.body):
                extended = self._call(extended, called, (*path, literal))
            yield extended

    def _call(self, derivation: _Derivation, literal: Literal, path: tuple[Literal, ...]) -> _Derivation:
        """Put a body literal where it belongs: to resolve, to await from the stream, or to look up."""
        goals, premises, rigid, bounds = derivation.goals, derivation.premises, derivation.rigid, derivation.bounds
        if literal.key in self.theory.intensional:
            goals = (_Pending(literal, path), *goals)
        elif literal.time is None:
            rigid = (*rigid, literal)
        else:
            premises = (*premises, literal)
            bounds = (*bounds, *self._stream_bounds(literal))
        return _Derivation(goals, derivation.bound, premises, rigid, derivation.negated, derivation.conditions, bounds)

    def _stream_bounds(self, literal: Literal) -> Sequence[TimeBound]:
        """Input lies on the timeline and, for LARS, not after the evaluation time."""
        if literal.time is None:
            return ()
        since = TimeBound(Time(ABSOLUTE, self.theory.start), literal.time, 0)
        return (since, TimeBound(literal.time, Time(NOW), 0)) if self.theory.evaluated else (since,)

    def _renamed(self, clause: Clause) -> Clause:
        number = next(self._fresh)
        literals = (clause.head, *clause.body, *clause.negated)
        times = set(time_names(literals)) | {t.base for b in clause.bounds for t in (b.left, b.right)}
        found = {*names(literals), *times, *(v.name for c in clause.conditions for v in variables(c))}
        rename: dict[str, Term] = {
            name: Time(f"{name}{RENAMED}{number}") if name in times else Var(f"{name}{RENAMED}{number}")
            for name in found - {NOW, ABSOLUTE}
        }
        return Clause(
            apply(clause.head, rename),
            tuple(apply(literal, rename) for literal in clause.body),
            tuple(apply(literal, rename) for literal in clause.negated),
            tuple(rewritten(condition, rename) for condition in clause.conditions),
            tuple(b.apply(rename) for b in clause.bounds),
            clause.origin,
        )


def general_goal(key: Key) -> Literal:
    """The most general query on a predicate."""
    args = tuple(Var(f"X{number}") for number in range(1, key.arity + 1))
    return Literal(key.predicate, args, Time("T") if key.temporal else None)
