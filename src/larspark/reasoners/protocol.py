"""What every reasoner offers: time and atoms go in, changes come out, the answer is there on request.

A reasoner is built from an analysed program (`Reasoner(analysis, background)`, see `reasoners/registry.py`).
Time is an argument, never read from the wall.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from larspark.language.facts import Fact


@dataclass(frozen=True, slots=True)
class AnswerStream:
    """The intensional atoms of one answer stream, seen from its evaluation time."""

    now: frozenset[Fact] = frozenset()
    """What holds at the evaluation time."""
    at: Mapping[int, frozenset[Fact]] = field(default_factory=dict)
    """What holds at other time points; only non-empty ones are listed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """All answer streams computed for one evaluation; empty = the program has none there."""

    time: int
    answer_streams: tuple[AnswerStream, ...]
    count: int | None = None
    """The number of arrivals so far, when evaluation is per tick."""


@dataclass(frozen=True, slots=True)
class Change:
    """What the last `advance` changed in `now` of the (chosen) answer stream; pinned atoms carry their time."""

    time: int
    appeared: frozenset[Fact] = frozenset()
    disappeared: frozenset[Fact] = frozenset()
    pinned: frozenset[tuple[int, Fact]] = frozenset()
    unpinned: frozenset[tuple[int, Fact]] = frozenset()
    consistent: bool = True
    """False: there is no answer stream at this time."""


class Reasoner(Protocol):
    """A running evaluation of one program."""

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        """Move to `time` (not before the current one), let the atoms arrive there in this order, evaluate once.

        Time points in between are passed over: nothing arrives there. Calling again with the same time adds
        arrivals to it (a tick when a single atom is given).
        """
        ...

    def answer(self, models: int | None = 1) -> Answer:
        """The answer at the current evaluation; up to `models` answer streams, None for all."""
        ...


@runtime_checkable
class Foreseeing(Protocol):
    """A reasoner that knows how long its answer lasts, so that idle time points need no evaluation."""

    def next_change(self) -> int | None:
        """The first later time point at which the answer may change though nothing arrives; None for never."""
        ...
