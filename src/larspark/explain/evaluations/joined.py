"""Of the arrivals that patterns let through, those that joins reach from the values in question.

Patterns carry constants into the bodies of rules; values that arrive with other atoms they do not know. Of paths from
one node, `path(a,Z) :- path(a,Y), edge(Y,Z) [9]`, they let through every edge. Here the values that each argument of a
conclusion can have are found from the data, with the evaluations at which it can have them, and so the rows that each
condition can meet. That is more than conclusions are made of, since arguments are looked at one by one, and of the
evaluations only the first and the last; so the conclusions stay the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

from larspark.explain.evaluations.arrivals import ArrivalIndex
from larspark.explain.evaluations.history import Sourced, Span
from larspark.explain.evaluations.relevance import Pattern, Relevance
from larspark.intervals.sets import FOREVER
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom
from larspark.language.facts import Signature
from larspark.language.tree import At, Atom, Comparison, Constant, Formula, Rule, TimeWindow, Variable, points
from larspark.language.values import Value

FEW = 100
"""Arrivals of which none are left out."""
SHARE = 4
"""Looking for what may be left out ends when a part like this of all has been looked at."""

Values: TypeAlias = dict[Value, Span] | None
"""Of an argument or a variable, with the evaluations at which it can have them; None: any."""


def joined_arrivals(
    relevance: Relevance, index: ArrivalIndex, since: int, evaluations: Span, given: Collection[Signature]
) -> Sequence[Sourced] | None:
    """What arrived from a time point on and matters to some evaluations; `given` predicates have background.

    None where it is not known, or not worth while.
    """
    number = index.number(evaluations[1]) - index.number(since - 1)
    if number <= FEW or not _worth_while(relevance, index):
        return None
    rules = [_JoinedRule.of(rule) for rule in relevance.narrowed.rules]
    plain = [one for one in rules if one is not None]
    if len(plain) < len(rules):
        return None
    places = _Joins(index, since, evaluations, given, plain, number // SHARE).places()
    if places is None:
        return None
    for signature in {one.head.signature for one in plain} & index.signatures:  # what arrives holds by itself
        for pattern in (relevance.patterns or {})[signature]:
            places.update(index.places(signature, pattern, since, evaluations[1]))
    return [index.all[place] for place in sorted(places)]


def _worth_while(relevance: Relevance, index: ArrivalIndex) -> bool:
    """Whether a predicate that arrives is looked at whatever its arguments are."""
    if not relevance.keyed or relevance.patterns is None or relevance.points:
        return False
    return any(
        signature in index.signatures and any(all(value is None for value in pattern) for pattern in patterns)
        for signature, patterns in relevance.patterns.items()
    )


@dataclass(frozen=True)
class _JoinedRule:
    head: Atom
    body: tuple[ExtendedAtom, ...]

    @classmethod
    def of(cls, rule: Rule) -> _JoinedRule | None:
        """None for rules with more than atoms in sliding windows, their negations, and comparisons."""
        head = rule.head.body if isinstance(rule.head, At) else rule.head
        read = [_plain(literal) for literal in rule.body if not isinstance(literal, Comparison)]
        known = [one for one in read if one is not None]
        return cls(head, tuple(known)) if isinstance(head, Atom) and len(known) == len(read) else None


def _plain(literal: Formula) -> ExtendedAtom | None:
    found = extended_atom(literal)
    return found if found is not None and all(isinstance(one, TimeWindow) for one in found.windows) else None


class _TooManyArrivals(Exception):
    """So much is reached that leaving out the rest does not pay."""


@dataclass
class _Bindings:
    """What the variables of a rule can be, and at which evaluations."""

    values: dict[str, dict[Value, Span]]
    span: Span

    def of(self, term: object) -> Values:
        match term:
            case Constant(value):
                return {value: self.span}
            case Variable(name):
                return self.values.get(name)
        return None

    def meet(self, atom: Atom, columns: Sequence[Values]) -> bool:
        """With what an atom can be; False: then there is nothing that they can be."""
        for arg, column in zip(atom.args, columns, strict=True):
            if column is not None:
                known = self.of(arg)
                both = column if known is None else _common(known, column)
                if not both:
                    return False
                firsts, lasts = zip(*both.values(), strict=True)
                self.span = max(self.span[0], min(firsts)), min(self.span[1], max(lasts))
                if isinstance(arg, Variable) and not arg.anonymous:
                    self.values[arg.name] = both
        return self.span[0] <= self.span[1]


def _common(left: Mapping[Value, Span], right: Mapping[Value, Span]) -> dict[Value, Span]:
    found: dict[Value, Span] = {}
    for value in left.keys() & right.keys():
        first, last = max(left[value][0], right[value][0]), min(left[value][1], right[value][1])
        if first <= last:
            found[value] = first, last
    return found


@dataclass
class _Joins:
    index: ArrivalIndex
    since: int
    evaluations: Span
    given: Collection[Signature]
    rules: Sequence[_JoinedRule]
    left: int
    """Rows that may still be looked at."""
    reached: set[int] = field(default_factory=set)
    concluded: dict[Signature, list[Values]] = field(default_factory=dict)
    """What each argument can be, of predicates with a conclusion."""
    waiting: list[tuple[Signature, list[Values]]] = field(default_factory=list)
    """Conclusions with a new value, to which rules are to be applied."""

    def places(self) -> set[int] | None:
        """Every rule once, then those about new values; None when that takes too long."""
        try:
            for rule in self.rules:
                self._apply(rule, list(rule.body), _Bindings({}, self.evaluations))
            while self.waiting:
                signature, columns = self.waiting.pop()
                for rule in self.rules:
                    for place, literal in enumerate(rule.body):
                        bindings = _Bindings({}, self.evaluations)
                        own = literal.signature == signature and not literal.negated
                        if own and bindings.meet(literal.atom, columns):
                            self._apply(rule, [*rule.body[:place], *rule.body[place + 1 :]], bindings)
        except _TooManyArrivals:
            return None
        return self.reached

    def _apply(self, rule: _JoinedRule, body: list[ExtendedAtom], bindings: _Bindings) -> None:
        while body:
            literal = min(body, key=lambda one: (one.negated, self._fewest(one.atom, bindings)))
            body.remove(literal)
            columns = self._met(literal, bindings)
            if not literal.negated and (columns is None or not bindings.meet(literal.atom, columns)):
                return
        self._conclude(rule.head, bindings)

    def _conclude(self, head: Atom, bindings: _Bindings) -> None:
        """New values wait, each with all that the other arguments can be."""
        new = head.signature not in self.concluded
        columns = self.concluded.setdefault(head.signature, [{} for _ in head.args])
        grown: list[tuple[int, Values]] = []
        for place, arg in enumerate(head.args):
            known, given = columns[place], bindings.of(arg)
            if known is not None:
                more = None if given is None else _more(known, given)
                columns[place] = None if more is None else {**known, **more}
                if more is None or more:
                    grown.append((place, more))
        if new:
            self.waiting.append((head.signature, list(columns)))
            return
        for place, more in grown:
            self.waiting.append((head.signature, [*columns[:place], more, *columns[place + 1 :]]))

    def _fewest(self, atom: Atom, bindings: _Bindings) -> float:
        """How many values the argument has that has the fewest; conclusions come first, since they take no rows."""
        if any(atom.signature == rule.head.signature for rule in self.rules):
            return 0
        known = (bindings.of(arg) for arg in atom.args)
        return min((len(one) for one in known if one is not None), default=inf)

    def _met(self, literal: ExtendedAtom, bindings: _Bindings) -> list[Values] | None:
        """What the arguments of a condition can be; None: nothing is like it."""
        rows = self._rows(literal, bindings)
        if literal.signature in self.given:
            return [None for _ in literal.atom.args]
        concluded = self.concluded.get(literal.signature)
        if not rows:
            return concluded
        found: list[Values] = [{} for _ in literal.atom.args] if concluded is None else list(concluded)
        for place, column in enumerate(found):
            if column is not None:
                own = dict(column)
                for args, span in rows:
                    own[args[place]] = _hull(own.get(args[place]), span)
                found[place] = own
        return found

    def _rows(self, literal: ExtendedAtom, bindings: _Bindings) -> list[tuple[tuple[Value, ...], Span]]:
        """The arguments of what arrived with such values, which is reached now, and the evaluations that see it."""
        known = [bindings.of(arg) for arg in literal.atom.args]
        bound = [(len(one), place) for place, one in enumerate(known) if one is not None]
        anything: Pattern = (None,) * len(known)
        patterns = [anything]
        if bound:
            _, chosen = min(bound)
            patterns = [(*anything[:chosen], value, *anything[chosen + 1 :]) for value in known[chosen] or ()]
        stays = _stays(literal)
        found: list[tuple[tuple[Value, ...], Span]] = []
        for pattern in patterns:
            self._spend()
            for place in self.index.places(literal.signature, pattern, self.since, self.evaluations[1]):
                self._spend()
                one = self.index.all[place]
                span = _overlap(bindings.span, (one.time, one.time + stays), known, one.fact.args)
                if span is not None:
                    self.reached.add(place)
                    found.append((one.fact.args, span))
        return found

    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _TooManyArrivals


def _stays(literal: ExtendedAtom) -> int:
    """How long after its arrival an atom is seen, at most."""
    match literal.windows:
        case () if literal.quantifier is Quantifier.NOW:
            return 0
        case (TimeWindow(past, _, hop),) if (back := points(past)) is not None:
            return back + (points(hop) or 1)
    return FOREVER


def _overlap(span: Span, seen: Span, known: Sequence[Values], args: Sequence[Value]) -> Span | None:
    """The evaluations at which a row is seen and its values are possible; None: it has others, or there are none."""
    first, last = max(span[0], seen[0]), min(span[1], seen[1])
    for possible, value in zip(known, args, strict=True):
        if possible is not None:
            own = possible.get(value)
            if own is None:
                return None
            first, last = max(first, own[0]), min(last, own[1])
    return (first, last) if first <= last else None


def _hull(known: Span | None, span: Span) -> Span:
    return span if known is None else (min(known[0], span[0]), max(known[1], span[1]))


def _more(known: Mapping[Value, Span], given: Mapping[Value, Span]) -> dict[Value, Span]:
    """The values that are new, or possible at further evaluations, with all of theirs."""
    return {
        value: _hull(known.get(value), span) for value, span in given.items() if not _covers(known.get(value), span)
    }


def _covers(known: Span | None, span: Span) -> bool:
    return known is not None and known[0] <= span[0] and span[1] <= known[1]
