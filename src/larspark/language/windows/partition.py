"""p^{idx,n}: the last arrivals of some predicates per value of some arguments, `[1 # per Id]`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from larspark.language.terms import Extent, points
from larspark.language.windows.keyed import Keyed, KeyedWindow
from larspark.language.windows.selection import Selection
from larspark.language.windows.sizes import Sizes, counts
from larspark.language.windows.text import show_range
from larspark.language.windows.window import WindowNode

if TYPE_CHECKING:
    from larspark.language.tree import Atom


@dataclass(frozen=True)
class PartitionWindow(KeyedWindow):
    """Everything but the predicates is cut to the empty window at now."""

    moves_by_arrivals = True
    past: Extent
    future: Extent
    predicates: tuple[Keyed, ...]
    whole: bool = False
    """The time point of the oldest one is selected as a whole."""

    @property
    def has_no_end(self) -> bool:
        return self.future != 0

    def resolved(self, sizes: Sizes) -> WindowNode:
        past, future = counts(self, self.past, self.future, sizes)
        return replace(self, past=past, future=future)

    def select(self, stream: Selection, now: int) -> Selection:
        if now not in stream:
            return stream
        past, future = points(self.past), points(self.future)
        # Def. 6, over the keys that have atoms.
        parts = [replace(stream, arrivals=part).latest(past, future, now, self.whole) for part in self.by_key(stream)]
        return Selection(
            min((part.first for part in parts), default=now),
            parts[0].last if parts else now,
            sorted(arrival for part in parts for arrival in part.arrivals),
        )

    def show(self, atom: Atom | None) -> str:
        of, per = self.show_keys(atom)
        return f"[{show_range(self.past, self.future, ' #')}{' whole' if self.whole else ''}{of} per{per}]"
