"""Few arrivals under plain rules, evaluated with sets of evaluations: sooner than an engine is built.

Where conditions are atoms, now or somewhere in a sliding window, an arrival at t is met by the evaluations from t to
t + n, and a conclusion holds at the evaluations at which all conditions of an instance do. So one pass over the
instances tells what held before, what holds, and what will hold if nothing more arrives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from larspark.explain.evaluations.history import AnswerHistory, Sourced, Span, Stretch, joined, spans_of, without
from larspark.explain.evaluations.matching import matched
from larspark.explain.evaluations.relevance import Patterns, fits
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Atom, Constant, Program, Rule, Term, TimeWindow, Variable, points
from larspark.semantics.interpretations import Atoms
from larspark.semantics.structures import Binding

FEW = 60
"""Arrivals."""
MOST = 1500
"""Atoms that are compared with conditions; with more, an engine is built after all."""


@dataclass(frozen=True)
class SmallAnswers:
    """The conclusions, with the evaluations at which they hold."""

    time: int
    start: int
    concluded: Mapping[Fact, Sequence[Span]]

    @property
    def followed(self) -> AnswerHistory:
        """The evaluations up to this one."""
        spans = ((fact, first, min(last, self.time)) for fact, first, last in self._spans(None))
        return AnswerHistory(self.start, self.time, tuple(_stretches(spans, self.time)))

    def present(self, patterns: Patterns | None) -> Atoms:
        return frozenset((self.time, fact) for fact, first, last in self._spans(patterns) if first <= self.time <= last)

    def coming(self, patterns: Patterns | None, end: int) -> AnswerHistory:
        later = ((fact, max(first, self.time), last) for fact, first, last in self._spans(patterns))
        return AnswerHistory(self.time, end, tuple(_stretches(later, end)))

    def _spans(self, patterns: Patterns | None) -> Iterator[tuple[Fact, int, int]]:
        for fact, spans in self.concluded.items():
            wanted = None if patterns is None else patterns.get(fact.signature, ())
            if wanted is None or any(fits(pattern, fact.args) for pattern in wanted):
                for first, last in spans:
                    yield fact, first, last


def _stretches(spans: Iterator[tuple[Fact, int, int]], end: int) -> Iterator[Stretch]:
    return (Stretch(fact, None, first, last) for fact, first, last in spans if first <= min(last, end))


def small_answers(program: Program, arrivals: Sequence[Sourced], start: int, time: int) -> SmallAnswers | None:
    """None where there are other rules, or it takes too long."""
    if len(arrivals) > FEW:
        return None
    rules = [_PlainRule.of(rule) for rule in program.rules]
    plain = [one for one in rules if one is not None]
    if len(plain) < len(rules):
        return None
    search = _SetSearch(tuple(plain), arrivals)
    return SmallAnswers(time, start, search.concluded) if search.done() else None


class _Condition(NamedTuple):
    atom: Atom
    stays: int
    """How long after its arrival an atom is met."""


@dataclass(frozen=True)
class _PlainRule:
    head: Atom
    body: tuple[_Condition, ...]

    @classmethod
    def of(cls, rule: Rule) -> _PlainRule | None:
        body = [_condition(extended_atom(literal)) for literal in rule.body]
        known = [one for one in body if one is not None]
        plain = isinstance(rule.head, Atom) and _is_plain(rule.head) and body and len(known) == len(body)
        return cls(rule.head, tuple(known)) if plain and isinstance(rule.head, Atom) else None


def _condition(found: ExtendedAtom | None) -> _Condition | None:
    if found is None or found.negated or not _is_plain(found.atom):
        return None
    match found.quantifier, found.windows:
        case Quantifier.NOW, ():
            return _Condition(found.atom, 0)
        case Quantifier.SOME, (TimeWindow(past, 0, 1),) if (back := points(past)) is not None:
            return _Condition(found.atom, back)
    return None


def _is_plain(atom: Atom) -> bool:
    return all(isinstance(arg, Constant | Variable) for arg in atom.args)


class _TooLarge(Exception):
    """Many atoms are compared with conditions."""


@dataclass
class _SetSearch:
    rules: tuple[_PlainRule, ...]
    arrivals: Sequence[Sourced]
    concluded: dict[Fact, list[Span]] = field(default_factory=dict)
    left: int = MOST

    def __post_init__(self) -> None:
        self._arrived: dict[Signature, dict[Fact, list[int]]] = {}
        for time, fact, _ in self.arrivals:
            self._arrived.setdefault(fact.signature, {}).setdefault(fact, []).append(time)
        self._concluded: dict[Signature, list[Fact]] = {}
        for signature in {rule.head.signature for rule in self.rules} & self._arrived.keys():
            for fact, times in self._arrived[signature].items():  # what arrives holds as if it were concluded
                self.concluded[fact] = spans_of(times)
                self._concluded.setdefault(signature, []).append(fact)

    def done(self) -> bool:
        """Every rule once, then those that look at what is new."""
        waiting: list[tuple[Fact, list[Span]]] = []
        try:
            for rule in self.rules:
                waiting += self._conclusions(rule, rule.body, {}, None)
            while waiting:
                fact, spans = waiting.pop()
                for rule in self.rules:
                    for place, condition in enumerate(rule.body):
                        binding = matched(condition.atom, fact, {})
                        if binding is not None:
                            others = (*rule.body[:place], *rule.body[place + 1 :])
                            waiting += self._conclusions(rule, others, binding, spans)
        except _TooLarge:
            return False
        return True

    def _conclusions(
        self, rule: _PlainRule, body: tuple[_Condition, ...], binding: Binding, spans: Sequence[Span] | None
    ) -> list[tuple[Fact, list[Span]]]:
        """What a rule gives that was not known, with the evaluations at which it was not."""
        found: list[tuple[Fact, list[Span]]] = []
        for instance, holding in list(self._instances(body, binding, spans)):
            values = (arg.value if isinstance(arg, Constant) else instance[_name(arg)] for arg in rule.head.args)
            fact = Fact(rule.head.predicate, tuple(values))
            known = self.concluded.get(fact, [])
            new = without(holding, known)
            if new:
                if not known:
                    self._concluded.setdefault(fact.signature, []).append(fact)
                self.concluded[fact] = joined([*known, *new])
                found.append((fact, new))
        return found

    def _instances(
        self, body: tuple[_Condition, ...], binding: Binding, spans: Sequence[Span] | None
    ) -> Iterator[tuple[Binding, Sequence[Span]]]:
        if not body:
            if spans:
                yield binding, spans
            return
        bound = max(range(len(body)), key=lambda place: _bound(body[place].atom, binding))
        condition, others = body[bound], (*body[:bound], *body[bound + 1 :])
        for fact, own in self._met(condition):
            self.left -= 1
            if self.left < 0:
                raise _TooLarge
            extended = matched(condition.atom, fact, binding)
            if extended is not None:
                common = own if spans is None else _common(spans, own)
                if common:
                    yield from self._instances(others, extended, common)

    def _met(self, condition: _Condition) -> Iterator[tuple[Fact, Sequence[Span]]]:
        """What arrived or was concluded, and the evaluations at which it is met."""
        signature = condition.atom.signature
        for fact, times in self._arrived.get(signature, {}).items():
            yield fact, joined((time, time + condition.stays) for time in times)
        for fact in self._concluded.get(signature, ()):
            yield fact, self.concluded[fact]


def _bound(atom: Atom, binding: Binding) -> int:
    """How many of its arguments are known."""
    return sum(isinstance(arg, Constant) or _name(arg) in binding for arg in atom.args)


def _name(arg: Term) -> str:
    assert isinstance(arg, Variable)
    return arg.name


def _common(left: Sequence[Span], right: Sequence[Span]) -> list[Span]:
    pairs = ((max(one[0], other[0]), min(one[1], other[1])) for one in left for other in right)
    return joined(span for span in pairs if span[0] <= span[1])
