"""How long what is known of negated atoms, and of rows that are complete, can still matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from larspark.hypothetical.offline.measures import reaches
from larspark.hypothetical.offline.preconditions import Precondition
from larspark.hypothetical.theory.terms import ABSOLUTE, Key, Literal


@dataclass(frozen=True)
class EvidenceRetention:
    """None: for ever."""

    goal: Sequence[int | None]
    """Per precondition of the goal: how long its complete rows are kept."""
    rows: Mapping[Key, Sequence[int | None]]
    """The same for the negated predicates."""
    statuses: Mapping[Key, int | None]
    """How long after its own time the status of an atom may be asked for."""


def retention(
    goal: Sequence[Precondition], negated: Mapping[Key, Sequence[Precondition]], keep: int | None
) -> EvidenceRetention:
    """What has to be remembered to watch a goal whose definite answers are kept so long."""
    settled = {key: reach.latest for key, reach in reaches(negated).items()}
    statuses = _asked(goal, negated, settled)
    rows = {key: [_until(statuses[key], precondition) for precondition in negated[key]] for key in negated}
    return EvidenceRetention([_until_settled(precondition, settled, keep) for precondition in goal], rows, statuses)


def _asked(
    goal: Sequence[Precondition], negated: Mapping[Key, Sequence[Precondition]], settled: Mapping[Key, int | None]
) -> dict[Key, int | None]:
    """A row asks for its negated atoms until it is complete and all of them are settled.

    An atom that is asked for asks for the atoms it negates in turn; when that leads ever further back (one that still
    grows after every predicate had its turn), nothing can be forgotten.
    """
    found: dict[Key, int | None] = dict.fromkeys(negated, 0)
    for turn in range(2 * len(negated) + 2):
        new = dict(found)
        for precondition in goal:
            for literal in precondition.negated:
                _raise(new, literal.key, _age(precondition, literal, _last(precondition, settled)))
        for key, preconditions in negated.items():
            for precondition in preconditions:
                asked = found[key]
                answer = precondition.answer.time
                for literal in precondition.negated:
                    latest = None if asked is None or answer is None else answer.offset + asked
                    _raise(new, literal.key, _age(precondition, literal, latest))
        if new == found:
            return found
        if turn > len(negated):
            new = {key: None if value != found[key] else value for key, value in new.items()}
        found = new
    return found


def _raise(ages: dict[Key, int | None], key: Key, age: int | None) -> None:
    known = ages.get(key, 0)
    if key in ages:
        ages[key] = None if known is None or age is None else max(known, age)


def _age(precondition: Precondition, literal: Literal, latest: int | None) -> int | None:
    """How long after the literal's time that is, if everything hangs on one time variable."""
    if latest is None or literal.time is None or not _hangs_together(precondition):
        return None
    return max(0, latest - literal.time.offset)


def _last(precondition: Precondition, settled: Mapping[Key, int | None]) -> int | None:
    """The offset at which a row is complete and its negated atoms are settled."""
    ends = [lit.time.offset for lit in precondition.premises if lit.time is not None]
    for literal in precondition.negated:
        delay = settled.get(literal.key, 0)
        if delay is None or literal.time is None:
            return None
        ends.append(literal.time.offset + delay)
    return max(ends, default=None)


def _hangs_together(precondition: Precondition) -> bool:
    literals = (precondition.answer, *precondition.premises, *precondition.negated)
    bases = {literal.time.base for literal in literals if literal.time is not None}
    return len(bases) == 1 and ABSOLUTE not in bases


def _complete(precondition: Precondition) -> int | None:
    return max((lit.time.offset for lit in precondition.premises if lit.time is not None), default=None)


def _until(asked: int | None, precondition: Precondition) -> int | None:
    """For how long after its completion a row of a negated predicate is asked about."""
    complete, answer = _complete(precondition), precondition.answer.time
    if asked is None or complete is None or answer is None or not _hangs_together(precondition):
        return None
    return max(0, answer.offset + asked - complete)


def _until_settled(precondition: Precondition, settled: Mapping[Key, int | None], keep: int | None) -> int | None:
    """An answer is definite, and counts as such, when its negated atoms are settled too."""
    if keep is None or not precondition.negated:
        return keep
    complete, last = _complete(precondition), _last(precondition, settled)
    if complete is None or last is None or not _hangs_together(precondition):
        return None
    return keep + max(0, last - complete)
