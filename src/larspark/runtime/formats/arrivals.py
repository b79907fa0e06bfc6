"""What comes out of a recorded stream, and what a format hands over before its time is understood."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal, NamedTuple, TypeAlias

from larspark.diagnostics import Origin
from larspark.language.facts import Fact

OnError: TypeAlias = Literal["stop", "skip"]
"""What a bad record does: end the reading with `Rejected`, or be counted and left out."""

RawTime: TypeAlias = int | str | Decimal | datetime | None
"""A time as a file has it; None where the record has none."""


class Arrival(NamedTuple):
    """An input atom and the time point it arrives at."""

    time: int
    fact: Fact


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file: its atom, its time as written, and where it stands."""

    fact: Fact
    time: RawTime
    origin: Origin


def at_line(file: str, line: int, column: int = 1) -> Origin:
    """The place of a record."""
    return Origin(file, line, column, line, column + 1)
