"""Chains of windows over the input that has arrived: what they select at one evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from larspark.language.tree import FilterWindow, Window
from larspark.language.windows.selection import Arrival, Selection


def select(chain: Iterable[Window], arrivals: Sequence[Arrival], start: int, now: int) -> Selection:
    """Apply the windows left to right at time `now` to the stream of these arrivals."""
    selection = Selection(start, None, arrivals)
    for window in chain:
        selection = window.select(selection, now)
    return selection


def forgetting(chain: Sequence[Window]) -> tuple[Window, ...]:
    """The beginning of a chain that never selects again what it once left behind; empty when there is none.

    The windows after it see nothing else, but they may leave out what counts in it.
    """
    for place, window in enumerate(chain):
        if window.forgets:
            return tuple(chain[: place + 1])
        if not isinstance(window, FilterWindow):
            break
    return ()
