"""The nodes of the network that stands for a plain program at one evaluation.

An atom that holds now is a `Fact`; `Pinned` is an atom at another time; the others stand for literals.
"""

from __future__ import annotations

from typing import NamedTuple

from larspark.language.facts import Fact
from larspark.reasoners.contents import Row
from larspark.reasoners.pinned import Pinned


class FoundRow(NamedTuple):
    """The reading with this number finds this row."""

    kind: str
    reading: int
    row: Row

    def __str__(self) -> str:
        return f"{self.kind}{self.reading}{self.row}"


class Spoiled(NamedTuple):
    """An atom is missing somewhere in the window of an `always`."""

    kind: str
    reading: int
    fact: Fact

    def __str__(self) -> str:
        return f"{self.kind}{self.reading} {self.fact}"


def found(reading: int, row: Row) -> FoundRow:
    return FoundRow("found", reading, row)


def spoiled(reading: int, fact: Fact) -> Spoiled:
    return Spoiled("spoiled", reading, fact)


class Never(NamedTuple):
    """The head of rules whose body must not hold."""

    kind: str
    level: int


def never(level: int) -> Never:
    return Never("never", level)


def is_hidden(node: object) -> bool:
    """Whether it is an atom that only stands for a part of a rule."""
    fact = node.fact if isinstance(node, Pinned) else node
    return isinstance(fact, Fact) and fact.signature.hidden
