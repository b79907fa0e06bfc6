"""Separability: when points in time are enough to tell intervals apart (thesis Def. 45)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from itertools import combinations

from larspark.diagnostics import Diagnostic, Severity
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Variable
from larspark.translations.etalis.minimal_model import Interpretation, Interval
from larspark.translations.etalis.patterns import (
    Combined,
    Event,
    EventRule,
    Operator,
    Pattern,
    TimePoint,
    Where,
    Within,
)


def separable(intervals: Iterable[Interval]) -> bool:
    """Whether all of them are disjoint, with a free point between any two."""
    return all(
        left_end + 1 < right_start or right_end + 1 < left_start
        for (left_start, left_end), (right_start, right_end) in combinations(set(intervals), 2)
    )


def inseparable_atoms(model: Interpretation) -> frozenset[Fact]:
    """The atoms, atomic events included, whose intervals merge when seen as time points."""
    return frozenset(fact for fact, intervals in model.items() if not separable(intervals))


def point_view(intervals: Iterable[Interval]) -> list[Interval]:
    """What is left of the intervals when only time points are kept: the maximal runs."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


class Separability(StrEnum):
    """What the rules alone say about the separability of a head."""

    INHERITED = "separable whenever the events are"
    DATA_DEPENDENT = "depends on the data"


def analyse(rules: Iterable[EventRule]) -> dict[Signature, Separability]:
    """For each head, whether its intervals are a selection of those of one atom that is itself safe."""
    found = tuple(rules)
    heads: dict[Signature, list[EventRule]] = {}
    for rule in found:
        heads.setdefault(rule.head.signature, []).append(rule)
    verdicts = dict.fromkeys(heads, Separability.DATA_DEPENDENT)
    # The least fixpoint: a head that depends on itself is never declared safe.
    pending = True
    while pending:
        pending = False
        for head, definitions in heads.items():
            if verdicts[head] is Separability.DATA_DEPENDENT and _inherits(definitions, verdicts):
                verdicts[head] = Separability.INHERITED
                pending = True
    return verdicts


def notes(rules: Iterable[EventRule]) -> list[Diagnostic]:
    """What to know before intervals are said by windows: the heads whose separability depends on the data."""
    found = tuple(rules)
    verdicts = analyse(found)
    first = {rule.head.signature: rule for rule in reversed(found)}
    return [
        Diagnostic(
            "W801",
            f"Whether the intervals of {head} stay apart depends on the data; where they touch, they merge.",
            "Use intervals as arguments, or watch `inseparable` (--guard).",
            first[head].origin,
            Severity.WARNING,
        )
        for head, verdict in verdicts.items()
        if verdict is Separability.DATA_DEPENDENT
    ]


def _inherits(definitions: list[EventRule], verdicts: dict[Signature, Separability]) -> bool:
    """A single rule, without merging of different atoms into one head, that selects from a safe atom."""
    if len(definitions) > 1:
        return False
    rule = definitions[0]
    source = _selected_from(rule.pattern)
    if isinstance(source, TimePoint):
        return True
    if source is None or verdicts.get(source.atom.signature, Separability.INHERITED) is not Separability.INHERITED:
        return False
    in_head = {arg.name for arg in rule.head.args if isinstance(arg, Variable)}
    return all(not isinstance(arg, Variable) or arg.name in in_head for arg in source.atom.args)


def _selected_from(pattern: Pattern) -> Event | TimePoint | None:
    """The part whose intervals the pattern only selects from."""
    match pattern:
        case Event() | TimePoint():
            return pattern
        case Within(body, _) | Where(body, _):
            return _selected_from(body)
        case Combined(Operator.EQUALS, left, right):
            return _selected_from(left) or _selected_from(right)
        case Combined(Operator.DURING | Operator.STARTS | Operator.FINISHES, _, right):
            return _selected_from(right)
        case _:
            return None
