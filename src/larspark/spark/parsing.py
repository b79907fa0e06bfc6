"""Records that the language itself must read: JSON lines, CSV, and atoms as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact, Signature
from larspark.language.values import Value
from larspark.runtime.admission import Admission
from larspark.runtime.formats.arrivals import Record, at_line
from larspark.runtime.formats.json_lines import read_record
from larspark.runtime.formats.tables import Layout, read_table
from larspark.runtime.formats.times import time_point
from larspark.runtime.formats.values import from_cell, from_object
from larspark.spark.cells import encode_values
from larspark.spark.evaluate.messages import Batches
from larspark.spark.intake import INPUT, PLACE, intake_columns, intake_schema
from larspark.spark.rows import OTHER, Kind
from larspark.spark.vocabulary import Vocabulary

RecordReader: TypeAlias = Callable[[Mapping[str, list[Any]]], Iterator[tuple[Record | Diagnostic, str]]]
"""From the columns of a batch to what each row says, and its text."""


def intake_of_lines(frame: DataFrame, vocabulary: Vocabulary) -> DataFrame:
    """JSON lines, in the column `value`."""
    return _read(frame, vocabulary, _json_lines)


def intake_of_table(frame: DataFrame, predicate: str, vocabulary: Vocabulary, *, typed: bool) -> DataFrame:
    """A table with a column `predicate` or `atom`, or of one predicate; in untyped cells, digits are numbers."""
    header = [name for name in frame.columns if name not in PLACE]
    reader = _TableReader(tuple(header), Layout(predicate, vocabulary.columns_of(predicate)), typed)
    reader.check(vocabulary)
    return _read(frame, vocabulary, reader)


def _read(frame: DataFrame, vocabulary: Vocabulary, reader: RecordReader) -> DataFrame:
    schema = StructType([field for field in intake_schema(vocabulary.width) if field.name != INPUT])
    parsing = _Parsing(vocabulary.analysis, vocabulary.calendar, vocabulary.numbers, vocabulary.width, reader)
    return frame.mapInArrow(parsing, schema)


def _json_lines(batch: Mapping[str, list[Any]]) -> Iterator[tuple[Record | Diagnostic, str]]:
    for text, source in zip(batch["value"], batch["source"], strict=True):
        if text and text.strip():
            yield read_record(text.strip().removeprefix("\ufeff").encode(), at_line(source or "", 1)), text


@dataclass(frozen=True)
class _TableReader:
    """Rows of a table as records."""

    header: tuple[str, ...]
    layout: Layout
    typed: bool

    def check(self, vocabulary: Vocabulary) -> None:
        """`Rejected` when the columns do not fit, or the program does not take the predicate."""
        if "time" not in self.header:
            message = f"The table of {self.layout.predicate} has no column `time`."
            hint = f"The columns are {', '.join(self.header)}; name others with `#input` or in the pipeline file."
            raise Rejected([Diagnostic("E407", message, hint)])
        list(read_table(self.header, [], self.layout, self._value, at_line(self.layout.predicate, 1)))
        if self.layout.columns or not {"atom", "predicate"} & {*self.header}:
            arity = len(self.layout.columns) or len(self.header) - 1
            refused = vocabulary.objection(Signature(self.layout.predicate, arity))
            if refused is not None:
                raise Rejected([refused])

    def __call__(self, batch: Mapping[str, list[Any]]) -> Iterator[tuple[Record | Diagnostic, str]]:
        cells = zip(*(batch[name] for name in self.header), strict=True)
        rows = [[self._cell(cell) for cell in row] for row in cells]
        origin = at_line(self.layout.predicate, 1)
        records = read_table(self.header, ((origin, row) for row in rows), self.layout, self._value, origin)
        for record, row in zip(records, rows, strict=True):
            yield record, ",".join(map(str, row))

    def _cell(self, cell: object) -> object:
        return "" if cell is None and not self.typed else cell

    def _value(self, cell: object) -> Value:
        return from_object(cell) if self.typed else from_cell(str(cell))


@dataclass(frozen=True)
class _Parsing:
    """Runs in a partition: reads records, says what is wrong with them, and writes rows."""

    analysis: Analysis
    calendar: Calendar
    numbers: Mapping[Signature, int]
    width: int
    reader: RecordReader

    def __call__(self, batches: Batches) -> Batches:
        admission = Admission(self.analysis)
        for batch in batches:
            yield self._rows(batch, admission)

    def _rows(self, batch: pa.RecordBatch, admission: Admission) -> pa.RecordBatch:
        columns = batch.to_pydict()
        times: list[int | None] = []
        facts: list[Fact | None] = []
        objections: list[str | None] = []
        texts: list[str | None] = []
        kept = [n for n, text in enumerate(columns["value"]) if text and text.strip()] if "value" in columns else None
        for record, text in self.reader(columns):
            time, fact, objection = self._judge(record, admission)
            times.append(time)
            facts.append(fact)
            objections.append(objection)
            texts.append(None if objection is None else text)
        places = [batch.column(name) if kept is None else batch.column(name).take(pa.array(kept)) for name in PLACE]
        count = len(facts)
        numbers = [self.numbers.get(fact.signature, OTHER) if fact else OTHER for fact in facts]
        known = [fact.args if fact and number != OTHER else () for fact, number in zip(facts, numbers, strict=True)]
        return pa.record_batch(
            [
                pa.array([int(Kind.ARRIVAL)] * count, pa.int32()),
                pa.array(numbers, pa.int32()),
                pa.array(times, pa.int64()),
                *(pa.nulls(count, pa.int64()) for _ in ("until", "at")),
                *encode_values(known, self.width),
                *places,
                pa.array(objections, pa.string()),
                pa.array(texts, pa.string()),
            ],
            names=intake_columns(self.width),
        )

    def _judge(self, record: Record | Diagnostic, admission: Admission) -> tuple[int | None, Fact | None, str | None]:
        if isinstance(record, Diagnostic):
            return None, None, _told(record)
        time = time_point(record.time, self.calendar, record.origin)
        if isinstance(time, Diagnostic):
            return None, None, _told(time)
        refused = admission.objection(record.fact)
        return (time, record.fact, None) if refused is None else (None, None, _told(refused))


def _told(finding: Diagnostic) -> str:
    return f"{finding.code}: {finding.message}"
