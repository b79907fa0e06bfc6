"""What every window is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from larspark.language.terms import Node
from larspark.language.windows.selection import Selection
from larspark.language.windows.sizes import Sizes

if TYPE_CHECKING:
    from larspark.language.tree import Atom


@dataclass(frozen=True)
class WindowNode(Node):
    """Common to all windows. The answers given here are those that claim least."""

    @property
    def counts_arrivals(self) -> bool:
        """Does it select by the arrivals of others, and arrivals alone: no conclusions, nothing held or recorded?"""
        return False

    @property
    def sees_everything(self) -> bool:
        """Does it select by conclusions, too, so that it is not known to be monotone, or by what lies ahead?"""
        return False

    @property
    def keeps_now(self) -> bool:
        """Is the reference time in what it selects, whenever it is in what it is given?"""
        return False

    @property
    def has_no_end(self) -> bool:
        """Does it reach to the open end of the timeline?"""
        return False

    @property
    def forgets(self) -> bool:
        """Does it never select again what it has once left out? If not, older arrivals may come back."""
        return False

    @property
    def moves_by_arrivals(self) -> bool:
        """Does it select otherwise only when something arrives, or right after?"""
        return False

    def resolved(self, sizes: Sizes) -> WindowNode:
        """The window with numbers for its sizes; what is wrong with them is reported."""
        return self

    def select(self, stream: Selection, now: int) -> Selection:
        """What it selects at `now` of the arrivals up to then (thesis Defs. 4-9, 40)."""
        raise TypeError(f"window {self!r} cannot be applied to arrivals")

    def show(self, atom: Atom | None) -> str:
        """How it is written behind an atom, if it follows exactly one."""
        raise NotImplementedError
