"""What one `advance` changes in what the reasoner shows, at the cost of what was touched."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from larspark.language.facts import Fact
from larspark.reasoners.protocol import Change


class Difference:
    """Remembers how touched atoms were before."""

    def __init__(self, before: int, now: int) -> None:
        self._before = before
        self._now = now
        self._held: dict[Fact, bool] = {}
        self._pinned: dict[tuple[int, Fact], bool] = {}

    def touch(self, fact: Fact, held: bool) -> None:
        """The label of an atom of now may change."""
        self._held.setdefault(fact, held)

    def touch_pin(self, time: int, fact: Fact, held: bool) -> None:
        """The label of a pinned atom may change."""
        self._pinned.setdefault((time, fact), held)

    def result(
        self,
        holding: Collection[Fact],
        pinned: Mapping[int, Collection[Fact]],
        inputs: Collection[tuple[int, Fact]],
        consistent: bool,
    ) -> Change:
        """The change, given what holds now; pinned atoms of now show as atoms that hold, input does not show."""
        if self._before != self._now:
            for time in (self._before, self._now):
                for fact in pinned.get(time, ()):
                    self._pinned.setdefault((time, fact), True)
        listed_before = {(time, fact) for (time, fact), held in self._pinned.items() if held and time != self._before}
        listed_now = {(time, fact) for time, fact in self._pinned if time != self._now and fact in pinned.get(time, ())}
        return Change(
            self._now,
            frozenset(fact for fact, held in self._held.items() if not held and fact in holding),
            frozenset(fact for fact, held in self._held.items() if held and fact not in holding),
            frozenset(pin for pin in listed_now - listed_before if pin not in inputs),
            frozenset(pin for pin in listed_before - listed_now if pin not in inputs),
            consistent,
        )
