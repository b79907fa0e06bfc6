"""Readings: what a body literal over atoms asks of the stream."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from larspark.diagnostics import Diagnostic, Origin
from larspark.language.clock_terms import is_clock_term
from larspark.language.facts import Fact, Signature
from larspark.language.tree import (
    Atom,
    Constant,
    IntervalWindow,
    Term,
    Variable,
    Window,
)
from larspark.language.values import Value


class Quantifier(Enum):
    """How a reading looks into its window."""

    NOW = "now"
    SOME = "some"
    ALWAYS = "always"
    AT = "at"


@dataclass(frozen=True)
class Reading:
    """`[not] quantifier atom [chain]`; `time` is the time term of an `@`, None otherwise."""

    quantifier: Quantifier
    atom: Atom
    chain: tuple[Window, ...] = ()
    time: Term | None = None
    negated: bool = False
    origin: Origin | None = field(default=None, compare=False)

    @property
    def counts_arrivals(self) -> bool:
        """Does the chain select arrivals, that is input atoms only?"""
        return any(window.counts_arrivals for window in self.chain)

    @property
    def may_be_empty(self) -> bool:
        """Can the window have no time points at all?"""
        return not all(window.keeps_now for window in self.chain)

    @property
    def endless(self) -> bool:
        """Does the window reach to the open end of the timeline?"""
        return all(window.has_no_end for window in self.chain)

    @property
    def computed_interval(self) -> IntervalWindow | None:
        """The last window of the chain, when it is an interval with variable bounds."""
        match self.chain:
            case [*_, IntervalWindow(start, end) as window] if not (is_clock_term(start) and is_clock_term(end)):
                return window
        return None

    def names(self) -> tuple[str, ...]:
        """The named variables it speaks about, the time last."""
        terms = self.atom.args if self.time is None else (*self.atom.args, self.time)
        return tuple(dict.fromkeys(t.name for t in terms if isinstance(t, Variable) and not t.anonymous))

    def match(self, fact: Fact, time: int) -> tuple[Value, ...] | None:
        """The values of `names()` if the fact at this time is an instance, else None."""
        binding: dict[str, Value] = {}
        if fact.predicate != self.atom.predicate or len(fact.args) != len(self.atom.args):
            return None
        terms = self.atom.args if self.time is None else (*self.atom.args, self.time)
        for term, value in zip(terms, fact.args if self.time is None else (*fact.args, time), strict=True):
            if isinstance(term, Constant):
                if term.value != value:
                    return None
            elif isinstance(term, Variable) and binding.setdefault(term.name, value) != value:
                return None
        return tuple(binding[name] for name in self.names())


def canonical(reading: Reading) -> Reading:
    """The reading with its variables renamed by position: equal for literals that mean the same window atom."""
    fresh: dict[str, Variable] = {}

    def rename(variable: Variable) -> Variable:
        kind = "_" if variable.anonymous else "X"
        return fresh.setdefault(variable.name, Variable(f"{kind}{len(fresh)}"))

    atom = replace(
        reading.atom,
        args=tuple(rename(term) if isinstance(term, Variable) else term for term in reading.atom.args),
    )
    time = rename(reading.time) if isinstance(reading.time, Variable) else reading.time
    return replace(reading, atom=atom, time=time, negated=False)


def any_atom(signature: Signature) -> Atom:
    """The atom with a variable in every place."""
    return Atom(signature.predicate, tuple(Variable(f"X{place}") for place in range(signature.arity)))


def unbound_time(origin: Origin | None) -> Diagnostic:
    """`@T` over background data, where nothing else says what T may be."""
    return Diagnostic(
        "E502",
        "Background atoms hold at infinitely many time points, so this time variable has infinitely many values.",
        "Give the time a window, or bind it by another atom of the rule.",
        origin,
    )
