"""What every reasoner offers: time and atoms go in, changes come out, the answer is there on request.

A reasoner is built from an analysed program (`Reasoner(analysis, background)`, see `reasoners/registry.py`).
Time is an argument, never read from the wall.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, runtime_checkable

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


Facts: TypeAlias = frozenset[Fact]
Timed: TypeAlias = frozenset[tuple[int, Fact]]
Sets: TypeAlias = tuple[Facts, Facts, Timed, Timed]
"""What has appeared, disappeared, been pinned and been unpinned."""

_NONE: Facts = frozenset()
_NEVER: Timed = frozenset()


class Change:
    """What the last `advance` changed in `now` of the (chosen) answer stream; pinned atoms carry their time.

    A value: it never changes, and equals every other with the same content. Reasoners that work in columns make the
    facts only when they are asked for.
    """

    __slots__ = ("_consistent", "_decode", "_sets", "_time")

    def __init__(
        self,
        time: int,
        appeared: Facts = _NONE,
        disappeared: Facts = _NONE,
        pinned: Timed = _NEVER,
        unpinned: Timed = _NEVER,
        consistent: bool = True,
    ) -> None:
        self._time, self._consistent = time, consistent
        self._sets: Sets | None = appeared, disappeared, pinned, unpinned
        self._decode: tuple[Callable[..., Sets], tuple[Any, ...]] | None = None

    @classmethod
    def later(cls, time: int, decode: Callable[..., Sets], *given: object) -> Change:
        """A change whose facts are made of what is given when somebody looks at them."""
        change = cls.__new__(cls)
        change._time, change._consistent, change._sets, change._decode = time, True, None, (decode, given)
        return change

    @property
    def sets(self) -> Sets:
        """All four at once."""
        if self._sets is None:
            assert self._decode is not None
            decode, given = self._decode
            self._sets, self._decode = decode(*given), None
        return self._sets

    @property
    def time(self) -> int:
        return self._time

    @property
    def appeared(self) -> Facts:
        return self.sets[0]

    @property
    def disappeared(self) -> Facts:
        return self.sets[1]

    @property
    def pinned(self) -> Timed:
        return self.sets[2]

    @property
    def unpinned(self) -> Timed:
        return self.sets[3]

    @property
    def consistent(self) -> bool:
        """False: there is no answer stream at this time."""
        return self._consistent

    def __bool__(self) -> bool:
        """Whether anything has appeared or disappeared."""
        return any(self.sets)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Change):
            return NotImplemented
        return self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[int, Sets, bool]:
        return self._time, self.sets, self._consistent

    def __reduce__(self) -> tuple[type[Change], tuple[object, ...]]:
        return Change, (self._time, *self.sets, self._consistent)

    def __repr__(self) -> str:
        names = ("appeared", "disappeared", "pinned", "unpinned")
        said = [f"{name}={set(found)}" for name, found in zip(names, self.sets, strict=True) if found]
        said += [] if self._consistent else ["consistent=False"]
        return f"Change({', '.join([str(self._time), *said])})"


class Reasoner(Protocol):
    """A running evaluation of one program."""

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        """Move to `time` (not before the current one), let the atoms arrive there in this order, evaluate once.

        Time points in between are passed over: nothing arrives there. Calling again with the same time adds
        arrivals to it (a tick when a single atom is given).
        """
        ...

    def answer(self, models: int | None = 1) -> Answer:
        """The answer at the current evaluation; up to `models` answer streams, None for all.

        Before the first evaluation it is one without atoms, from which the first change goes on.
        """
        ...


@runtime_checkable
class Foreseeing(Protocol):
    """A reasoner that knows how long its answer lasts, so that idle time points need no evaluation."""

    def next_change(self) -> int | None:
        """The first later time point at which the answer may change though nothing arrives; None for never."""
        ...
