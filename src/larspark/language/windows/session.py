"""`[session 10 s per User]`: per value of some arguments, the arrivals of the session that now is in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from larspark.language.terms import UNBOUNDED, Extent, points
from larspark.language.windows.keyed import Keyed, KeyedWindow
from larspark.language.windows.selection import Arrival, Selection
from larspark.language.windows.sizes import Sizes
from larspark.language.windows.text import show_extent
from larspark.language.windows.window import WindowNode

if TYPE_CHECKING:
    from larspark.language.tree import Atom


@dataclass(frozen=True)
class SessionWindow(KeyedWindow):
    """The latest arrivals, as far as each lies at most `gap` before the next one, and the last one before now."""

    gap: Extent
    predicates: tuple[Keyed, ...]

    def resolved(self, sizes: Sizes) -> WindowNode:
        if self.gap is UNBOUNDED:
            hint = "Say which pause ends it, as in `[session 10 s]`, or use `[all]`."
            sizes.problem("E306", "The session never ends.", hint, self.origin)
        gap = sizes.time(self.gap, self)
        return self if gap is None else replace(self, gap=gap)

    def select(self, stream: Selection, now: int) -> Selection:
        if now not in stream:
            return stream
        kept = sorted(one for part in self.by_key(stream) for one in self._session(part, now))
        return Selection(kept[0].time if kept else now, now, kept)

    def _session(self, arrivals: list[Arrival], now: int) -> list[Arrival]:
        gap, following = points(self.gap), now
        for place in range(len(arrivals) - 1, -1, -1):
            if gap is not None and following - arrivals[place].time > gap:
                return arrivals[place + 1 :]
            following = arrivals[place].time
        return arrivals

    def show(self, atom: Atom | None) -> str:
        of, per = self.show_keys(atom)
        return f"[session {show_extent(self.gap)}{of}{' per' if per else ''}{per}]"
