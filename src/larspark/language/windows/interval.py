"""w_[start,end]: `[from 3 to 8]`, the bounds may be terms with variables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from larspark.language.evaluate import evaluate
from larspark.language.printing.terms import show_term
from larspark.language.terms import Term
from larspark.language.windows.selection import Selection
from larspark.language.windows.window import WindowNode

if TYPE_CHECKING:
    from larspark.language.tree import Atom


@dataclass(frozen=True)
class IntervalWindow(WindowNode):
    """The same interval at every reference time, unless its bounds name now."""

    start: Term
    end: Term

    def select(self, stream: Selection, now: int) -> Selection:
        """Where the bounds depend on nothing but `now`."""
        first, last = evaluate(self.start, {}, now), evaluate(self.end, {}, now)
        if not isinstance(first, int) or not isinstance(last, int):
            return replace(stream, last=stream.first - 1, arrivals=())
        return stream.between(first, last)

    def show(self, atom: Atom | None) -> str:
        return f"[from {show_term(self.start)} to {show_term(self.end)}]"
