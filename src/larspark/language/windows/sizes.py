"""Sizes of windows as written, as numbers: what a window asks when clock and constants are known."""

from __future__ import annotations

from typing import Protocol

from larspark.diagnostics.origin import Origin
from larspark.language.terms import Extent, Node


class Sizes(Protocol):
    """What clock and constants say. A size that makes no sense is None, and has been reported."""

    def time(self, extent: Extent, window: Node) -> Extent | None:
        """A number of time points, or without bound."""
        ...

    def count(self, extent: Extent, window: Node) -> Extent | None:
        """A number of arrivals, or without bound."""
        ...

    def problem(self, code: str, message: str, hint: str, origin: Origin | None) -> None:
        """Report what is wrong with a window."""
        ...


def counts(window: Node, past: Extent, future: Extent, sizes: Sizes) -> tuple[Extent, Extent]:
    """How many arrivals a window holds of those before and of those to come."""
    back, ahead = sizes.count(past, window), sizes.count(future, window)
    if back == 0 and ahead == 0:
        hint = "Use a positive number: `[1 #]` is the last atom."
        sizes.problem("E306", "A tuple window cannot hold 0 atoms.", hint, window.origin)
    return 1 if back is None else back, 0 if ahead is None else ahead
