"""The tables of a bounded run with questions about them: Spark fetches what an atom can depend on, and no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import reduce
from operator import and_, or_
from typing import Any

from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as sf
from pyspark.sql.types import DataType, IntegralType, StringType, TimestampNTZType, TimestampType

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.evaluations.history import Sourced
from larspark.explain.evaluations.relevance import Pattern, Relevance
from larspark.explain.faces.face import Explanation, why_explanation, why_not_explanation
from larspark.explain.questions import question_of
from larspark.language.calendar import Calendar, TimeForm
from larspark.language.facts import Fact
from larspark.questions.explaining import Case
from larspark.questions.other_rules import reach_of
from larspark.read import chunks_of_table
from larspark.read.columns.layout import RowLayout
from larspark.read.columns.time_columns import form_of_table
from larspark.runtime.atoms import TimeLike, time_of
from larspark.runtime.prepared import Prepared
from larspark.runtime.sourced import sourced

SUMMER = timedelta(hours=2)
"""As far as a clock is put back, or more."""
FIRST, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


@dataclass(frozen=True)
class AskedRun:
    """What a run was about."""

    prepared: Prepared
    frames: Mapping[str, DataFrame]
    timeline: tuple[int, int]
    points: bool = False
    """Times are told as time points, however they came."""

    def case(self, atom: str, time: int, ask: str) -> Case:
        """The part of the input that decides about an atom."""
        fact = question_of(atom, ask, time).fact
        reach = reach_of(self.prepared.analysis)
        relevance = Relevance.of(self.prepared.program, fact)
        known = reach is not None and not self.prepared.analysis.recorded
        first = max(self.timeline[0], time - 64 - 16 * (reach or 0)) if known else self.timeline[0]
        arrivals, form = list[Sourced](), self.prepared.calendar.form
        rules = replace(self.prepared.rules, ordered=False)
        for name, frame in self.frames.items():
            chosen = frame.where(_wanted(frame, name, self.prepared, relevance, (first - (reach or 0), time)))
            fetched = chosen.toArrow()
            form = max(form, form_of_table(fetched, name, rules))
            for chunk in chunks_of_table(fetched, rules, name):
                form = max(form, chunk.form)
                arrivals += (one._replace(place=None) for one in sourced(chunk))  # rows of a DataFrame have no lines
        ordered = tuple(sorted((one for one in arrivals if one.time <= time), key=lambda one: one.time))
        reasoners = self.prepared.analysis.reasoners
        reasoner = "interval" if "interval" in reasoners else "clingo"
        since = first if known else None
        told = TimeForm.POINTS if self.points else form
        return Case(self.prepared, ordered, self.timeline[0], time, reasoner, since=since, form=told)


class ReasonedTables(dict[str, DataFrame]):
    """The tables by predicate; `why` and `why_not` explain an atom, or a row that was collected."""

    def __init__(self, tables: Mapping[str, DataFrame], run: AskedRun) -> None:
        super().__init__(tables)
        self._run = run

    def why(
        self, atom: str | Row, at: TimeLike | None = None, *, table: str | None = None, depth: int | None = 3
    ) -> Explanation:
        """Why an atom holds: `why("alarm(press)", at=47)`, or `why(row, table="alarm")` at its first evaluation."""
        text, time = self._asked(atom, at, table)
        (found,) = self._run.case(text, time, "why").why(text, time, depth=depth)
        return why_explanation(found)

    def why_not(self, atom: str, at: TimeLike) -> Explanation:
        """Why an atom does not hold at an evaluation, and what would change that."""
        time = time_of(at, self._run.prepared.calendar)
        return why_not_explanation(self._run.case(atom, time, "why-not").why_not(atom, time))

    def _asked(self, atom: str | Row, at: TimeLike | None, table: str | None) -> tuple[str, int]:
        calendar = self._run.prepared.calendar
        if isinstance(atom, str):
            if at is not None:
                return atom, time_of(at, calendar)
        elif table is not None and table in self:
            kinds = {field.name: field.dataType for field in self[table].schema}
            found: dict[str, Any] = {
                name: _point(value, kinds.get(name), calendar) for name, value in atom.asDict().items()
            }
            first, pinned = found.pop("from"), found.pop("at", None)
            found.pop("to", None)
            fact = Fact(table.partition("/")[0], tuple(found.values()))
            asked = str(fact) if pinned is None else f"@{pinned} {fact}"
            return asked, first if at is None else time_of(at, calendar)
        message = "A question is about an atom `at` an evaluation, or about a row and its `table`."
        raise Rejected([Diagnostic("E561", message, "result.why('alarm(press)', at=47)")])


def _point(value: Any, kind: DataType | None, calendar: Calendar) -> Any:
    """A value of a collected row, a time as its time point; moments are collected in the zone of the machine."""
    if not isinstance(value, datetime):
        return value
    return time_of(value.astimezone() if isinstance(kind, TimestampType) else value, calendar)


def _wanted(frame: DataFrame, name: str, prepared: Prepared, relevance: Relevance, span: tuple[int, int]) -> Column:
    """The rows that may matter, as far as their columns tell it without being read."""
    layout = RowLayout.of(frame.columns, name, prepared.rules, None)
    conditions = [sf.lit(True)]
    if layout.time is not None:
        conditions += _in_time(frame, layout.time, prepared.calendar, span)
    if relevance.patterns is not None and layout.atom is None and layout.named is None:
        own = [one for signature, found in relevance.patterns.items() if signature.predicate == name for one in found]
        fitting = [reduce(and_, _equal(frame, layout, pattern), sf.lit(True)) for pattern in own]
        conditions.append(reduce(or_, fitting, sf.lit(False)))
    return reduce(and_, conditions)


def _in_time(frame: DataFrame, place: int, calendar: Calendar, span: tuple[int, int]) -> Iterator[Column]:
    """At least the rows of a span; a little more where clocks may have been put back in it."""
    column, kind = sf.col(f"`{frame.columns[place]}`"), frame.schema[place].dataType
    if isinstance(kind, IntegralType):
        yield column.between(*span)
    if isinstance(kind, TimestampType | TimestampNTZType):
        try:
            ends = calendar.timestamp(span[0]) - SUMMER, calendar.timestamp(span[1] + 1) + SUMMER
        except OverflowError:
            return
        if isinstance(kind, TimestampType):
            yield column.between(*(sf.timestamp_micros(sf.lit((end - FIRST) // MICROSECOND)) for end in ends))
        else:
            texts = (end.replace(tzinfo=None).isoformat(" ") for end in ends)
            yield column.between(*(sf.lit(text).cast("timestamp_ntz") for text in texts))


def _equal(frame: DataFrame, layout: RowLayout, pattern: Pattern) -> Iterator[Column]:
    for place, value in zip(layout.arguments, pattern, strict=False):
        kind = frame.schema[place].dataType
        if (isinstance(value, str) and isinstance(kind, StringType)) or (
            isinstance(value, int) and isinstance(kind, IntegralType)
        ):
            yield sf.col(f"`{frame.columns[place]}`") == value
