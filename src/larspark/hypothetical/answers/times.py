"""Times as prospects have them: time points, or as somebody else writes them."""

from __future__ import annotations

from typing import Protocol

from larspark.language.facts import Signature
from larspark.language.values import Value


class WrittenTimes(Protocol):
    """How times leave."""

    @property
    def stamped(self) -> bool:
        """Whether they are timestamps."""
        ...

    def text(self, point: int) -> str:
        """One time, as people read it."""
        ...

    def value(self, value: Value) -> Value:
        """The same for an argument that is a time."""
        ...

    def places_in(self, signature: Signature) -> frozenset[int]:
        """The arguments that are timestamps."""
        ...


class PlainTimes:
    """Times as the numbers that they are."""

    stamped = False

    def text(self, point: int) -> str:
        return str(point)

    def value(self, value: Value) -> Value:
        return value

    def places_in(self, signature: Signature) -> frozenset[int]:
        del signature
        return frozenset()


POINTS = PlainTimes()
