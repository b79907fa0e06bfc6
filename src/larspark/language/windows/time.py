"""τ^{past,future(hop)}: `[5]`, `[3, +1]`, `[4 hop 2]`, `[all]`, `[tumble 10 s]`, `[hop 2 s over 10 s]`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from larspark.language.terms import UNBOUNDED, Constant, Extent, Now, Operation, points
from larspark.language.windows.interval import IntervalWindow
from larspark.language.windows.selection import Selection
from larspark.language.windows.sizes import Sizes
from larspark.language.windows.text import show_extent, show_range
from larspark.language.windows.window import WindowNode

if TYPE_CHECKING:
    from larspark.language.tree import Atom

HALF_OPEN = -1
"""The future of a time window that ends one time point before its pivot."""


@dataclass(frozen=True)
class TimeWindow(WindowNode):
    """Around the pivot, the last multiple of the hop size. A tumbling window has hop = past.

    A half-open window, `[tumble 10 s]` or `[hop 2 s over 10 s]`, ends before the pivot: its future is `HALF_OPEN`.
    """

    past: Extent
    future: Extent = 0
    hop: Extent = 1

    @property
    def keeps_now(self) -> bool:
        return self.hop == 1 and self.future != HALF_OPEN

    @property
    def has_no_end(self) -> bool:
        return points(self.future) is None

    @property
    def forgets(self) -> bool:
        return self.hop == 1

    def pivot(self, now: int) -> int:
        """⌊t/d⌋·d, the point from which it reaches back and forth."""
        hop = points(self.hop) or 1
        return now // hop * hop

    def resolved(self, sizes: Sizes) -> WindowNode:
        past = sizes.time(self.past, self)
        future = self.future if self.future == HALF_OPEN else sizes.time(self.future, self)
        hop = past if self.hop == self.past else sizes.time(self.hop, self)
        if past is None or future is None or hop is None:
            return self
        size = past + future + 1 if isinstance(past, int) and isinstance(future, int) else None
        if hop is UNBOUNDED or hop == 0:
            sizes.problem("E307", "The window never moves.", "Let it hop by at least one time point.", self.origin)
        elif isinstance(hop, int) and size is not None and hop > size:
            message = f"The window hops {hop} time points but has only {size}, so it would skip some."
            sizes.problem("E307", message, "Make the hop at most the length of the window.", self.origin)
        if hop == 1 and future == HALF_OPEN:  # the time points before now
            start = Constant(0) if past is UNBOUNDED else Operation("-", Now(), Constant(points(past) or 0))
            return IntervalWindow(start, Operation("-", Now(), Constant(1)), origin=self.origin)
        if (past, future, hop) == (self.past, self.future, self.hop):
            return self  # then a rule of a program without units stays the same node, with all that is kept with it
        return replace(self, past=past, future=future, hop=hop)

    def select(self, stream: Selection, now: int) -> Selection:
        if now not in stream:
            return stream
        centre, back, ahead = self.pivot(now), points(self.past), points(self.future)
        return stream.between(
            stream.first if back is None else centre - back, stream.last if ahead is None else centre + ahead
        )

    def show(self, atom: Atom | None) -> str:
        if self.future == HALF_OPEN:
            hops = "tumble " if self.hop == self.past else f"hop {show_extent(self.hop)} over "
            return f"[{hops}{show_extent(self.past)}]"
        return f"[{show_range(self.past, self.future)}{self._hop()}]"

    def _hop(self) -> str:
        if self.hop == 1:
            return ""
        return " tumbling" if self.hop == self.past and self.future == 0 else f" hop {show_extent(self.hop)}"
