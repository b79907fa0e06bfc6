"""A theory: clauses over time-stamped literals, the common form of Temporal Datalog and of LARS."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from larspark.diagnostics import Origin
from larspark.hypothetical.theory.bounds import TimeBound
from larspark.hypothetical.theory.terms import Key, Literal
from larspark.language import tree
from larspark.language.facts import Fact
from larspark.language.traversal import constants
from larspark.language.values import Value


@dataclass(frozen=True)
class Clause:
    """`head :- body, not negated, conditions`, with bounds between its time variables."""

    head: Literal
    body: tuple[Literal, ...] = ()
    negated: tuple[Literal, ...] = ()
    conditions: tuple[tree.Comparison, ...] = ()
    bounds: tuple[TimeBound, ...] = ()
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True)
class NegatedWording:
    """The negated literal that an auxiliary predicate stands for, and the variables that are its arguments."""

    meaning: Literal | tree.Formula
    names: tuple[str, ...]


@dataclass(frozen=True)
class Theory:
    """Clauses and rigid facts; what heads no clause is extensional."""

    clauses: tuple[Clause, ...]
    rigid: frozenset[Fact] = frozenset()
    """The rigid facts, with everything that follows from them."""
    inputs: frozenset[Key] = frozenset()
    """Predicates that also arrive in the stream although clauses define them."""
    start: int = 0
    """The first time point."""
    evaluated: bool = False
    """Whether data after the evaluation time `now` are out of reach, as in LARS."""
    wording: Mapping[str, NegatedWording] = field(default_factory=dict)
    """What the auxiliary predicates stand for."""

    @cached_property
    def defining(self) -> Mapping[Key, tuple[Clause, ...]]:
        found: defaultdict[Key, list[Clause]] = defaultdict(list)
        for clause in self.clauses:
            found[clause.head.key].append(clause)
        return {key: tuple(clauses) for key, clauses in found.items()}

    @cached_property
    def intensional(self) -> frozenset[Key]:
        return frozenset(self.defining)

    @property
    def visible(self) -> frozenset[Key]:
        """What the program derives under a name of its own."""
        return frozenset(key for key in self.intensional if key.predicate not in self.wording)

    @cached_property
    def extensional(self) -> frozenset[Key]:
        """The temporal predicates that the stream supplies."""
        used = {literal.key for clause in self.clauses for literal in (*clause.body, *clause.negated)}
        return frozenset(key for key in used if key.temporal and key not in self.defining) | self.inputs

    @cached_property
    def constants(self) -> frozenset[Value]:
        """The values that clauses speak of."""
        literals = (lit for c in self.clauses for lit in (c.head, *c.body, *c.negated))
        compared = (term.value for c in self.clauses for comparison in c.conditions for term in constants(comparison))
        return frozenset(arg for lit in literals for arg in lit.args if not isinstance(arg, tuple)) | frozenset(
            compared
        )
