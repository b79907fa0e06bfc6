"""What readers give: atoms in blocks, and the records that are none, with what is wrong and where they stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import itemgetter

from larspark.blocks import Block
from larspark.diagnostics import Diagnostic
from larspark.language.calendar import TimeForm
from larspark.language.facts import Fact
from larspark.read.places import Located

UNTIMED = -1
"""The time of a live atom that says none: its arrival gives it one."""


@dataclass(frozen=True)
class Refused:
    """A record that is not taken: why, and the record as it stands in its source, so that it can be fed again."""

    diagnostic: Diagnostic
    record: str
    order: int
    """Its place among all records of the source."""
    arrival: tuple[int, Fact] | None = None
    """Its time and atom, where they are asked for and only the program or the order of time is against it."""


@dataclass(frozen=True)
class Chunk:
    """Some records of a source that follow each other."""

    blocks: tuple[Block, ...] = ()
    """One per predicate; rows in the order of the source, `order` is the place among all of its records."""
    refused: tuple[Refused, ...] = ()
    located: Located | None = field(default=None, compare=False, repr=False)
    """Where the records stand, if that is asked for."""
    form: TimeForm = field(default=TimeForm.POINTS, compare=False)
    """How the times are written."""

    def __len__(self) -> int:
        return sum(map(len, self.blocks))

    def arrivals(self) -> list[tuple[int, Fact]]:
        """Times and atoms, in the order of the source."""
        return [(time, fact) for _, time, fact in self.rows()]

    def rows(self) -> list[tuple[int, int, Fact]]:
        """Places, times and atoms, in the order of the source."""
        rows: list[tuple[int, int, Fact]] = []
        for block in self.blocks:
            assert block.order is not None
            rows += zip(block.order.tolist(), block.times.tolist(), block.facts(), strict=True)
        rows.sort(key=itemgetter(0))
        return rows
