"""A page attached to a stream on Spark: what is final so far, and how far each source has come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from larspark.explain.evaluations.history import Refusal
from larspark.runtime.prepared import Prepared
from larspark.web.following import LiveFollowing
from larspark.web.marks import AnswerMark, MarkKind
from larspark.web.tables import table_stretches


class StreamStep(NamedTuple):
    """How far a stream has come."""

    first: int | None
    watermark: int
    heard: Sequence[int | None]
    """By source, the latest time that it told."""
    arrivals: int
    late: int
    refused: int
    came: Mapping[str, int] = MappingProxyType({})
    """Arrivals by predicate, as in `hot/1`."""
    rules: Sequence[Mapping[str, Any] | None] | None = None
    """What each rule gave."""


class StreamFollowing(LiveFollowing):
    """Conclusions come as tables, interval by interval, when they are final; arrivals stay in Spark."""

    answers = False

    def __init__(
        self,
        prepared: Prepared,
        file: Path,
        history: int,
        output: Path,
        tables: Mapping[str, str],
        sources: Sequence[str],
    ) -> None:
        super().__init__(prepared, file, "interval", 0, history)
        self._output, self._tables, self._sources = output, tables, sources
        """Tables are folders by the predicate that they hold."""
        self._read: set[Path] = set()
        self._accounts: dict[str, Any] = {}
        self._rules: Sequence[Mapping[str, Any] | None] | None = None
        self._begun = False

    def come(self, step: StreamStep, refused: Sequence[Refusal] = ()) -> None:
        """A step of the stream is over; `refused` is what it refused, as far as it is known."""
        self._rules = step.rules
        if step.first is not None and not self._begun:
            self._begun = True
            self.starts(step.first)
        if refused:
            self.refuse(refused)
        self._accounts = {
            "used": step.arrivals,
            "came": dict(step.came),
            "refusedInAll": step.refused,
            "late": step.late,
            "waiting": self._waiting(step.watermark, step.heard),
        }
        if self._begun and step.watermark >= self._first:
            marks = [mark for name, predicate in self._tables.items() for mark in self._new(name, predicate)]
            self.ended(step.watermark, marks)
        self.noted()

    def _new(self, name: str, predicate: str) -> list[AnswerMark]:
        found = []
        for file in sorted((self._output / name).rglob("*.parquet")):
            if file not in self._read and not file.name.startswith((".", "_")):
                self._read.add(file)
                found += [
                    AnswerMark(fact, MarkKind.HOLDS if at is None else MarkKind.PINNED, first, last, at)
                    for fact, at, first, last in table_stretches(predicate, file, self.prepared.calendar)
                ]
        return found

    def _waiting(self, watermark: int, heard: Sequence[int | None]) -> str:
        said = f"Every evaluation up to {watermark} is final." if watermark >= 0 else "Nothing is final yet."
        silent = [name for name, time in zip(self._sources, heard, strict=False) if time is None]
        if silent:
            return f"{said} Nothing has come from {', '.join(silent)}, which holds up the rest."
        known = [(time, name) for name, time in zip(self._sources, heard, strict=False) if time is not None]
        if len(known) < 2:
            return said
        slowest = min(known)
        return f"{said} {slowest[1]} has come to {slowest[0]} and holds up the others."

    def state(self) -> dict[str, Any]:
        found = super().state()
        found["accounts"] |= self._accounts
        if self._rules is not None:
            found["counts"] = self._rules
        return found
