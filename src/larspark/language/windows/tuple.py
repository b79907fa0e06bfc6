"""#^{past,future}: the last (next) arrivals, `[3 #]`, `[3 #, +1 #]`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from larspark.language.terms import Extent, points
from larspark.language.windows.selection import Selection
from larspark.language.windows.sizes import Sizes, counts
from larspark.language.windows.text import show_range
from larspark.language.windows.window import WindowNode

if TYPE_CHECKING:
    from larspark.language.tree import Atom


@dataclass(frozen=True)
class TupleWindow(WindowNode):
    """Arrivals of all predicates are counted; those of one time point may be parted, unless it is `whole`."""

    counts_arrivals = True
    keeps_now = True
    forgets = True
    moves_by_arrivals = True
    past: Extent
    future: Extent = 0
    whole: bool = False
    """The time point of the oldest one is selected as a whole, so that none is parted."""

    @property
    def has_no_end(self) -> bool:
        return self.future != 0

    def resolved(self, sizes: Sizes) -> WindowNode:
        past, future = counts(self, self.past, self.future, sizes)
        return replace(self, past=past, future=future)

    def select(self, stream: Selection, now: int) -> Selection:
        if now not in stream:
            return stream
        return stream.latest(points(self.past), points(self.future), now, self.whole)

    def show(self, atom: Atom | None) -> str:
        return f"[{show_range(self.past, self.future, ' #')}{' whole' if self.whole else ''}]"
