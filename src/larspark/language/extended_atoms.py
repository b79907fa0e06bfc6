"""Extended atoms: an atom with quantifier, windows, time and sign (thesis sec. 4.1), read off the tree in one place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from larspark.diagnostics import Origin
from larspark.language.clock_terms import is_clock_term
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import kept_with_node
from larspark.language.tree import (
    Always,
    At,
    Atom,
    Constant,
    Formula,
    IntervalWindow,
    Node,
    Not,
    Some,
    Term,
    Variable,
    Window,
    Windowed,
)
from larspark.language.values import Value


class Quantifier(StrEnum):
    """At which of the selected time points the atom is looked for."""

    NOW = "now"
    SOME = "some"
    ALWAYS = "always"
    AT = "at"


@dataclass(frozen=True)
class ExtendedAtom:
    """`[not] quantifier atom [windows]`."""

    quantifier: Quantifier
    atom: Atom
    windows: tuple[Window, ...] = ()
    """From the outside in, as they are applied."""
    time: Term | None = None
    """The T of `@T a`, None with the other quantifiers."""
    negated: bool = False
    aggregated: bool = False
    """It stands inside an aggregate."""
    origin: Origin | None = field(default=None, compare=False)

    @property
    def signature(self) -> Signature:
        return self.atom.signature

    @property
    def terms(self) -> tuple[Term, ...]:
        """The arguments of the atom, and its time if it has one."""
        return self.atom.args if self.time is None else (*self.atom.args, self.time)

    @property
    def formula(self) -> Formula:
        """The literal, without its sign, that this is read from."""
        return around(self.windows, self._inner)

    @property
    def _inner(self) -> Formula:
        match self.quantifier:
            case Quantifier.SOME:
                return Some(self.atom, origin=self.origin)
            case Quantifier.ALWAYS:
                return Always(self.atom, origin=self.origin)
        return self.atom if self.time is None else At(self.time, self.atom, origin=self.origin)

    # -- what its windows say ----------------------------------------------------------------------

    @property
    def counts_arrivals(self) -> bool:
        """Do the windows select arrivals, that is input atoms only?"""
        return any(window.counts_arrivals for window in self.windows)

    @property
    def may_be_empty(self) -> bool:
        """Can the windows leave no time points at all?"""
        return not all(window.keeps_now for window in self.windows)

    @property
    def strict(self) -> bool:
        """Must the atom's extension be finished before the rule is evaluated?

        A window that selects by conclusions is not known to be monotone, so it counts like negation (thesis Thm. 6).
        """
        return self.negated or self.aggregated or any(window.sees_everything for window in self.windows)

    @property
    def endless(self) -> bool:
        """Do the windows reach to the open end of the timeline?"""
        return all(window.has_no_end for window in self.windows)

    @property
    def computed_interval(self) -> IntervalWindow | None:
        """The last window, when it is an interval with variable bounds."""
        match self.windows:
            case [*_, IntervalWindow(start, end) as window] if not (is_clock_term(start) and is_clock_term(end)):
                return window
        return None

    # -- instances, where all terms are variables and constants ------------------------------------

    def names(self) -> tuple[str, ...]:
        """The named variables it speaks about, the time last."""
        return tuple(dict.fromkeys(t.name for t in self.terms if isinstance(t, Variable) and not t.anonymous))

    def match(self, fact: Fact, time: int) -> tuple[Value, ...] | None:
        """The values of `names()` if the fact at this time is an instance, else None."""
        binding: dict[str, Value] = {}
        if fact.predicate != self.atom.predicate or len(fact.args) != len(self.atom.args):
            return None
        for term, value in zip(self.terms, fact.args if self.time is None else (*fact.args, time), strict=True):
            if isinstance(term, Constant):
                if term.value != value:
                    return None
            elif isinstance(term, Variable) and binding.setdefault(term.name, value) != value:
                return None
        return tuple(binding[name] for name in self.names())

    @property
    def canonical(self) -> ExtendedAtom:
        """With variables renamed by position, without sign: equal for literals that look for the same instances."""
        fresh: dict[str, Variable] = {}

        def rename(term: Term) -> Term:
            if not isinstance(term, Variable):
                return term
            kind = "_" if term.anonymous else "X"
            return fresh.setdefault(term.name, Variable(f"{kind}{len(fresh)}"))

        atom = replace(self.atom, args=tuple(map(rename, self.atom.args)))
        time = None if self.time is None else rename(self.time)
        return ExtendedAtom(self.quantifier, atom, self.windows, time, origin=self.origin)


@kept_with_node
def extended_atom(literal: Node) -> ExtendedAtom | None:
    """What a literal says about one atom; None for comparisons, aggregates and what is not plain LARS."""
    negated = isinstance(literal, Not)
    inner = whole = literal.body if isinstance(literal, Not) else literal
    windows: list[Window] = []
    while isinstance(inner, Windowed):
        windows.append(inner.window)
        inner = inner.body
    time: Term | None = None
    match inner:
        case Atom() as atom if not windows:
            quantifier = Quantifier.NOW
        case At(time, Atom() as atom):
            quantifier = Quantifier.AT
        case Some(Atom() as atom) if windows:
            quantifier = Quantifier.SOME
        case Always(Atom() as atom) if windows:
            quantifier = Quantifier.ALWAYS
        case _:
            return None
    return ExtendedAtom(quantifier, atom, tuple(windows), time, negated, origin=whole.origin)


def around(windows: tuple[Window, ...], formula: Formula) -> Formula:
    """The windows around a formula, the first one outermost."""
    for window in reversed(windows):
        formula = Windowed(window, formula, origin=formula.origin)
    return formula


def tied_times(body: Iterable[Formula]) -> set[str]:
    """The variables that positive literals `@T a` bind to time points."""
    found = (extended_atom(literal) for literal in body)
    return {read.time.name for read in found if read and not read.negated and isinstance(read.time, Variable)}


def any_atom(signature: Signature) -> Atom:
    """The atom with a variable in every place."""
    return Atom(signature.predicate, tuple(Variable(f"X{place}") for place in range(signature.arity)))
