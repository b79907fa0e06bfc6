"""Extended atoms, the things that carry labels: `a`, `@t a`, and window atoms `⊞ ◇ a`, `⊞ □ a`, `⊞ @t a`."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from larspark.language.extended_atoms import Quantifier
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Window
from larspark.reasoners.pinned import Pinned


class PlainAtom(NamedTuple):
    """The ordinary atom `a`: it holds at the evaluation time."""

    fact: Fact


class LiteralView(NamedTuple):
    """What a body literal reads of one predicate: `⊞ … ◇`, `⊞ … □`, `⊞ … @`, or no window at all."""

    windows: tuple[Window, ...]
    """Applied left to right; empty for `a` and `@T a`."""
    quantifier: Quantifier
    signature: Signature

    @property
    def counts_arrivals(self) -> bool:
        return any(window.counts_arrivals for window in self.windows)


class SeenAtom(NamedTuple):
    """A ground extended atom as read through a view; for windows this is the window atom of the theory."""

    view: LiteralView
    time: int | None
    """The t of `⊞ @t a`, None with other quantifiers."""
    fact: Fact


Node: TypeAlias = PlainAtom | Pinned
"""What rules derive."""

LabelledAtom: TypeAlias = PlainAtom | Pinned | SeenAtom


def extended(seen: SeenAtom) -> LabelledAtom:
    """The same atom without its view when no window is involved."""
    if seen.view.windows:
        return seen
    return PlainAtom(seen.fact) if seen.time is None else Pinned(seen.time, seen.fact)
