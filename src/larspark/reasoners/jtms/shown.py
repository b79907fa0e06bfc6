"""What a reasoner shows, kept up to date at the cost of what was touched, and what one `advance` changes in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from larspark.language.facts import Fact
from larspark.reasoners.pinned import Pinned
from larspark.reasoners.protocol import AnswerStream, Change


class Shown:
    """The atoms of the answer stream: what holds now, and what is pinned to other times and is no input there."""

    def __init__(self) -> None:
        self.now: set[Fact] = set()
        self._pinned: defaultdict[int, set[Fact]] = defaultdict(set)
        self._held: dict[Fact, bool] = {}
        self._listed: dict[Pinned, bool] = {}
        """How touched atoms were when the last change was reported."""

    @property
    def pinned(self) -> Mapping[int, set[Fact]]:
        return self._pinned

    def hold(self, fact: Fact, holds: bool) -> None:
        """The atom holds now, or not."""
        self._held.setdefault(fact, fact in self.now)
        (self.now.add if holds else self.now.discard)(fact)

    def list(self, pin: Pinned, listed: bool) -> None:
        """The atom is shown at its time, or not."""
        facts = self._pinned[pin.time]
        self._listed.setdefault(pin, pin.fact in facts)
        (facts.add if listed else facts.discard)(pin.fact)
        if not facts:
            del self._pinned[pin.time]

    def clear(self) -> None:
        """Nothing is shown."""
        for fact in tuple(self.now):
            self.hold(fact, False)
        for pin in [Pinned(time, fact) for time, facts in self._pinned.items() for fact in facts]:
            self.list(pin, False)

    def stream(self) -> AnswerStream:
        """The answer stream."""
        return AnswerStream(
            frozenset(self.now), {time: frozenset(facts) for time, facts in sorted(self._pinned.items())}
        )

    def change(self, time: int, consistent: bool) -> Change:
        """What has changed since the last call."""
        held, listed = self._held, self._listed
        self._held, self._listed = {}, {}
        shown = {pin: pin.fact in self._pinned.get(pin.time, ()) for pin in listed}
        return Change(
            time,
            frozenset(fact for fact, was in held.items() if not was and fact in self.now),
            frozenset(fact for fact, was in held.items() if was and fact not in self.now),
            _pins(pin for pin, was in listed.items() if shown[pin] and not was),
            _pins(pin for pin, was in listed.items() if was and not shown[pin]),
            consistent,
        )


def _pins(pins: Iterable[Pinned]) -> frozenset[tuple[int, Fact]]:
    return frozenset((pin.time, pin.fact) for pin in pins)
