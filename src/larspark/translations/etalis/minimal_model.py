"""The minimal model of event rules, computed over intervals: the judge of the translations.

Models are preferred by their shorter intervals first (thesis app. A.2.2), so the minimal model is built by length:
an interval of length n follows from intervals of length at most n, and what NOT looks at is strictly shorter,
hence final. Nothing here knows LARS.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from larspark.language.evaluate import evaluate
from larspark.language.facts import Fact
from larspark.language.tree import Atom, Comparison, Constant, Variable
from larspark.language.values import NotANumber, Value, compare
from larspark.translations.etalis.patterns import (
    AbsentPattern,
    Combined,
    Event,
    EventRule,
    Operator,
    Pattern,
    TimePoint,
    Where,
    Within,
    walk,
)

Interval: TypeAlias = tuple[int, int]
Interpretation: TypeAlias = Mapping[Fact, frozenset[Interval]]
Binding: TypeAlias = dict[str, Value]
Match: TypeAlias = tuple[Binding, Interval]


def minimal_model(
    rules: Iterable[EventRule], events: Iterable[tuple[int, Fact]], given: Interpretation | None = None
) -> Interpretation:
    """All intervals of all atoms, from events at time points and intervals that are given as they are."""
    found = tuple(rules)
    model: dict[Fact, set[Interval]] = {fact: set(intervals) for fact, intervals in (given or {}).items()}
    for time, fact in events:
        model.setdefault(fact, set()).add((time, time))
    times = {time for intervals in model.values() for interval in intervals for time in interval}
    times |= {part.time for rule in found for part in walk(rule.pattern) if isinstance(part, TimePoint)}
    longest = max(times) - min(times) if times else 0
    for length in range(longest + 1):
        while _derive(found, model, length):
            pass
    return {fact: frozenset(intervals) for fact, intervals in model.items()}


def _derive(rules: tuple[EventRule, ...], model: dict[Fact, set[Interval]], length: int) -> bool:
    """Add the intervals of this length that the rules demand; False when there is none left."""
    new = [
        (_instance(rule.head, binding), (start, end))
        for rule in rules
        for binding, (start, end) in matches(rule.pattern, model)
        if end - start == length
    ]
    changed = False
    for fact, interval in new:
        known = model.setdefault(fact, set())
        changed |= interval not in known
        known.add(interval)
    return changed


def matches(pattern: Pattern, model: Mapping[Fact, Iterable[Interval]]) -> Iterator[Match]:
    """I(pattern) with the values of its variables, as Table A.1 defines it."""
    match pattern:
        case Event(atom):
            for fact, intervals in model.items():
                binding = _unify(atom, fact)
                if binding is not None:
                    yield from ((binding, interval) for interval in intervals)
        case TimePoint(time):
            yield {}, (time, time)
        case Within(body, length):
            yield from ((b, (start, end)) for b, (start, end) in matches(body, model) if end - start <= length)
        case Where(body, conditions):
            yield from (found for found in matches(body, model) if _true(conditions, found[0]))
        case Combined(Operator.OR, left, right):
            yield from matches(left, model)
            yield from matches(right, model)
        case Combined(operator, left, right):
            for first, one in matches(left, model):
                for second, two in matches(right, model):
                    both = _join(first, second)
                    interval = _combine(operator, one, two)
                    if both is not None and interval is not None:
                        yield both, interval
        case AbsentPattern(body, first, last):
            between = Combined(Operator.SEQ, Combined(Operator.SEQ, first, body), last)
            excluded = list(matches(between, model))
            for binding, interval in matches(Combined(Operator.SEQ, first, last), model):
                if not any(interval == other and _join(binding, b) is not None for b, other in excluded):
                    yield binding, interval


def _combine(operator: Operator, one: Interval, two: Interval) -> Interval | None:
    """The interval of `x operator y` for an interval of x and one of y, if they stand in the relation."""
    (t1, t2), (t3, t4) = one, two
    hull = min(t1, t3), max(t2, t4)
    match operator:
        case Operator.SEQ:
            return (t1, t4) if t2 < t3 else None
        case Operator.AND:
            return hull
        case Operator.PAR:
            return hull if max(t1, t3) < min(t2, t4) else None
        case Operator.EQUALS:
            return one if one == two else None
        case Operator.MEETS:
            return (t1, t4) if t2 == t3 else None
        case Operator.DURING:
            return two if t3 < t1 < t2 < t4 else None
        case Operator.STARTS:
            return two if t1 == t3 and t2 < t4 else None
        case Operator.FINISHES:
            return two if t2 == t4 and t3 < t1 else None
        case Operator.OR:
            raise ValueError("OR relates no intervals")


def _unify(atom: Atom, fact: Fact) -> Binding | None:
    if (atom.predicate, len(atom.args)) != fact.signature:
        return None
    binding: Binding = {}
    for arg, value in zip(atom.args, fact.args, strict=True):
        match arg:
            case Variable(name):
                if binding.setdefault(name, value) != value:
                    return None
            case Constant(expected) if expected != value:
                return None
    return binding


def _join(first: Binding, second: Binding) -> Binding | None:
    return first | second if all(first.get(name, value) == value for name, value in second.items()) else None


def _true(conditions: tuple[Comparison, ...], binding: Binding) -> bool:
    try:
        return all(compare(c.operator, evaluate(c.left, binding), evaluate(c.right, binding)) for c in conditions)
    except NotANumber:
        return False


def _instance(head: Atom, binding: Binding) -> Fact:
    return Fact(head.predicate, tuple(evaluate(arg, binding) for arg in head.args))
