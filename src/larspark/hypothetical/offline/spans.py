"""How far into the future the past can be felt: from when on the status of an atom no longer depends on its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from larspark.hypothetical.offline.preconditions import Precondition
from larspark.hypothetical.theory.terms import ABSOLUTE, Key, Literal, Time


def spans(preconditions: Mapping[Key, Sequence[Precondition]]) -> dict[Key, int]:
    """For each negated predicate: all its atoms more than this after the closed time have the same status.

    Such an atom has no premise that could have arrived, and its negated atoms lie beyond their own spans. An atom of
    a predicate that negates itself at an earlier time is safe once that one cannot be certain: once its premises
    are still to come.
    """
    found: dict[Key, int] = {}
    for key in preconditions:
        _span(key, preconditions, found, frozenset())
    return found


def _span(
    key: Key, preconditions: Mapping[Key, Sequence[Precondition]], found: dict[Key, int], above: frozenset[Key]
) -> int:
    if key in found:
        return found[key]
    span = max((_of_premises(precondition) for precondition in preconditions.get(key, ())), default=0)
    if key in above:
        return span
    for precondition in preconditions.get(key, ()):
        for literal in precondition.negated:
            below = _span(literal.key, preconditions, found, above | {key})
            span = max(span, below + _lead(precondition, literal))
    if not above:
        found[key] = span
    return span


def _of_premises(precondition: Precondition) -> int:
    return max((_lead(precondition, literal) for literal in precondition.premises), default=0)


def _lead(precondition: Precondition, literal: Literal) -> int:
    """How long before the answer a literal lies at most."""
    time, answer = literal.time, precondition.answer.time
    if time is None or answer is None or ABSOLUTE in (time.base, answer.base):
        return _first(precondition, answer)
    lead = max(0, answer.offset - time.offset)
    if time.base != answer.base:
        widest = max(
            (abs(most) for pair, most in precondition.differences.most.items() if ABSOLUTE not in pair), default=0
        )
        lead += widest + 1
    return max(lead, _first(precondition, answer))


def _first(precondition: Precondition, answer: Time | None) -> int:
    """The first time point that the answer may be about: before that everything is void."""
    if answer is None or answer.base == ABSOLUTE:
        return 0 if answer is None else answer.offset
    low = precondition.differences.low(answer.base, {})
    return 0 if low is None else max(0, low + answer.offset)
