"""The queries: rules for larspark, and SQL that says the same for engines that recompute."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

FOLDER = Path(__file__).parent / "queries"
SIDE = 10_000
"""Rows of the side table of q13; row i says i."""

_AIMS = {
    "q0 q1 q2 q13 q14 q21 q22": (1_000, 3.0),
    "q3 q8 q12 q18 q20 q23": (300, 2.0),
    "q4 q5 q7 q9 q15 q16 q17": (150, 2.0),
    "q6 q10 q11 q19": (75, 1.5),
}
"""What larspark is to reach: thousand events per second of one core, and times less CPU than Flink."""

_INPUT = re.compile(r"^#input (\w+)\((.*)\)\.$", re.MULTILINE)


@dataclass(frozen=True)
class NexmarkQuery:
    """A query with its texts.

    The SQL either has a row for each event, whose last column is the time, or says what holds at the time `$now`. It
    asks the functions `day_of`, `hour_of` and `minute_of` for the parts of a time in milliseconds.
    """

    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def program(self) -> Path:
        return FOLDER / f"{self.name}.lars"

    @cached_property
    def sql(self) -> str:
        return (FOLDER / f"{self.name}.sql").read_text("utf-8")

    @property
    def aims(self) -> tuple[int, float]:
        """Thousand events per second of one core, and times less CPU than Flink, that larspark is to reach."""
        return next(aims for names, aims in _AIMS.items() if self.name in names.split())

    @property
    def by_event(self) -> bool:
        """Whether each row of the answer belongs to one event, and holds at its time only."""
        return "$now" not in self.sql

    @cached_property
    def inputs(self) -> dict[str, list[str]]:
        """The kinds of events that are read, and which of their columns."""
        found = _INPUT.findall(self.program.read_text("utf-8"))
        return {name: [*columns.split(", "), "time"] for name, columns in found}

    @property
    def step(self) -> int:
        """Milliseconds between the ends of its windows, or between looks at an answer without windows."""
        return 2_000 if "[hop 2 s" in self.program.read_text("utf-8") else 10_000

    @property
    def windowed(self) -> bool:
        """Whether a row belongs to a window that is closed."""
        return re.search(r"\[(tumble|hop) ", self.program.read_text("utf-8")) is not None

    def ends(self, begin: int, end: int) -> range:
        """When it is looked at: at the ends of all windows."""
        return range(-(-begin // self.step) * self.step, end + 1, self.step)

    def compared_at(self, begin: int, end: int) -> range:
        """When rows are counted to compare engines: at the ends of all windows, or of the stream."""
        return self.ends(begin, end) if self.windowed else range(end, end + 1)

    @property
    def with_side(self) -> bool:
        return self.name == "q13"

    @cached_property
    def summary(self) -> str:
        return self.program.read_text("utf-8").splitlines()[0].removeprefix("% ")


QUERIES = {query.name: query for query in (NexmarkQuery(f"q{number}") for number in range(24))}
