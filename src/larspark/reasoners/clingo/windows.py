"""Window atoms: one auxiliary predicate per windowed literal, defined by range rules over the window's span.

    _w1(X)   :- _span1(_L,_U), tram(X,_T), _L <= _T, _T <= _U.         some tram(X) [w]
    _w2(X)   :- _span2(_L,_U), tram(X,_L), tram(X,_T) : _T = _L.._U.   always tram(X) [w]
    _w3(X,T) :- _span3(_L,_U), tram(X,T), _L <= T, T <= _U.            @T tram(X) [w]

`_span` holds the first and last time point of the window at this evaluation (`#sup` where it has no end); without time
points there is no span, and no window atom. `always` is a conjunction of positive atoms, not the absence of a gap: only
so is it right when rules support each other through it. An interval whose bounds a rule computes has an auxiliary
predicate beside this rule (`bodies.py`), and only the span of the windows before it is here. Where windows count
arrivals, `_selected` lists what they select of the input.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.facts import Signature
from larspark.language.tree import Constant, FilterWindow, Pattern, Variable
from larspark.reasoners.arrivals_for_readings import ArrivalsForReadings
from larspark.reasoners.clingo.adapter import fact_text, text
from larspark.reasoners.clingo.names import ClingoNames


@dataclass(frozen=True)
class WindowSpan:
    """The time points that the windows of a reading select, and the atoms there."""

    number: int
    reading: ExtendedAtom

    def facts(self, history: ArrivalsForReadings, now: int) -> Iterator[str]:
        """What the window looks like at this evaluation."""
        selection = history.select(self.reading, now)
        if selection.empty:
            return
        last = "#sup" if selection.last is None else selection.last
        yield f"_span{self.number}({selection.first},{last})."
        if self.reading.counts_arrivals:
            seen = {
                (*arrival.fact.args, arrival.time)
                for arrival in selection.arrivals
                if arrival.fact.signature == self.reading.signature
            }
            yield from (fact_text(f"_selected{self.number}", args) for args in seen)

    def source(self, names: ClingoNames) -> str:
        """The predicate of the atoms that the windows let through, their times last."""
        if self.reading.counts_arrivals:
            return f"_selected{self.number}"
        return f"_filtered{self.number}" if self._patterns() else names.predicate(self.reading.atom.predicate)

    def filter_rules(self, names: ClingoNames) -> Iterator[str]:
        """The atoms that pass all filters of the chain, when it has any."""
        if self.reading.counts_arrivals or not self._patterns():
            return
        signature = self.reading.signature
        variables = [f"X{place}" for place in range(signature.arity)]
        conditions: list[list[str]] = [[]]
        for patterns in self._patterns():
            passing = [pattern for pattern in patterns if _about(pattern, signature)]
            conditions = [[*one, *_equalities(pattern, variables)] for one in conditions for pattern in passing]
        atom = atom_text(names.predicate(signature.predicate), [*variables, "_T"])
        for one in conditions:
            yield f"{atom_text(f'_filtered{self.number}', [*variables, '_T'])} :- {', '.join([atom, *one])}."

    def _patterns(self) -> list[tuple[Pattern, ...]]:
        return [window.patterns for window in self.reading.windows if isinstance(window, FilterWindow)]


class WindowAtom(WindowSpan):
    """The auxiliary predicate of a reading."""

    @property
    def name(self) -> str:
        return f"_w{self.number}"

    def instance(self, names: Iterable[str]) -> str:
        """The atom over the variables that stand for the reading's own."""
        return atom_text(self.name, names)

    def rules(self, names: ClingoNames, background: bool) -> Iterator[str]:
        """The range rules; `background`: some atoms of the predicate hold always."""
        reading = self.reading
        head = self.instance(reading.names())
        args = [named_argument(term) for term in reading.atom.args]
        span = f"_span{self.number}(_L,_U)"
        named = reading.time is not None and argument_text(reading.time) != "_"
        time = argument_text(reading.time) if named else "_T"
        source = self.source(names)
        at_time = atom_text(source, [*args, time])
        if reading.quantifier is Quantifier.ALWAYS:
            if not reading.endless:  # nothing but background holds at all points of an endless timeline
                yield f"{head} :- {span}, {atom_text(source, [*args, '_L'])}, {at_time} : _T = _L.._U."
        else:
            yield f"{head} :- {span}, {at_time}, _L <= {time}, {time} <= _U."
        if background:
            known = atom_text(names.background(reading.signature), args)
            at_all_points = f", {time} = _L.._U" if reading.quantifier is Quantifier.AT and named else ""
            yield f"{head} :- {span}, {known}{at_all_points}."


def atom_text(name: str, args: Iterable[str]) -> str:
    inside = ",".join(args)
    return f"{name}({inside})" if inside else name


def argument_text(term: object) -> str:
    match term:
        case Constant(value):
            return text(value)
        case Variable(name):
            return "_" if term.anonymous else name
    raise TypeError(f"{term!r} is not a variable or constant")


def named_argument(term: object) -> str:
    """As `argument_text`, but `_` gets a name: under `always` it is the same value at all time points."""
    return f"_X{term.name[1:]}" if isinstance(term, Variable) and term.anonymous else argument_text(term)


def _about(pattern: Pattern, signature: Signature) -> bool:
    return pattern.predicate == signature.predicate and len(pattern.args) == signature.arity


def _equalities(pattern: Pattern, variables: list[str]) -> list[str]:
    return [
        f"{variable} = {text(wanted)}"
        for variable, wanted in zip(variables, pattern.args, strict=True)
        if wanted is not None
    ]
