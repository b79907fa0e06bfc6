"""Windows over the arrivals of one predicate, apart for every value of some arguments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from larspark.language.facts import Signature
from larspark.language.values import Value
from larspark.language.windows.selection import Arrival, Selection
from larspark.language.windows.text import show_key
from larspark.language.windows.window import WindowNode

if TYPE_CHECKING:
    from larspark.language.tree import Atom


class KeyedWindow(WindowNode):
    """Common to those that have keys; which fields they have, in which order, they say themselves."""

    counts_arrivals = True
    keeps_now = True
    forgets = True
    signature: Signature
    keys: tuple[int, ...]
    """The places of the arguments, from 0."""

    def by_key(self, stream: Selection) -> Iterable[list[Arrival]]:
        """The arrivals of the predicate, those of each key in order."""
        parts: dict[tuple[Value, ...], list[Arrival]] = defaultdict(list)
        for arrival in stream.arrivals:
            if arrival.fact.signature == self.signature:
                parts[tuple(arrival.fact.args[key] for key in self.keys)].append(arrival)
        return parts.values()

    def show_keys(self, atom: Atom | None) -> tuple[str, str]:
        """The predicate, where it is not that of the atom, and the keys."""
        here = atom is not None and atom.signature == self.signature
        names = ", ".join(show_key(key, atom if here else None) for key in self.keys)
        return "" if here else f" of {self.signature}", f" {names}" if names else ""
