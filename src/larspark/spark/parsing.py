"""Records that the language itself must read: JSON lines, CSV, and atoms as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact, Signature
from larspark.read import Rules, at_line
from larspark.read.batch import Batch, Judge
from larspark.read.json_records import read_json
from larspark.read.layout import Layout
from larspark.read.records import batch_of_records
from larspark.read.tables import read_batch
from larspark.read.value_columns import text_cells, typed_cells
from larspark.runtime.admission import Admission
from larspark.spark.cells import encode_values
from larspark.spark.evaluate.messages import Batches
from larspark.spark.intake import INPUT, PLACE, intake_columns, intake_schema
from larspark.spark.rows import OTHER, Kind
from larspark.spark.vocabulary import Vocabulary

RecordReader: TypeAlias = Callable[[pa.RecordBatch, Rules], Batch]
"""From the rows of a batch to what each says."""


def intake_of_lines(frame: DataFrame, vocabulary: Vocabulary) -> DataFrame:
    """JSON lines, in the column `value`."""
    return _read(frame, vocabulary, _json_lines)


def intake_of_table(frame: DataFrame, predicate: str, vocabulary: Vocabulary, *, typed: bool) -> DataFrame:
    """A table with a column `predicate` or `atom`, or of one predicate; in untyped cells, digits are numbers."""
    header = [name for name in frame.columns if name not in PLACE]
    reader = _TableReader(tuple(header), predicate, vocabulary.columns_of(predicate), typed)
    reader.check(vocabulary)
    return _read(frame, vocabulary, reader)


def _read(frame: DataFrame, vocabulary: Vocabulary, reader: RecordReader) -> DataFrame:
    schema = StructType([field for field in intake_schema(vocabulary.width) if field.name != INPUT])
    parsing = _Parsing(vocabulary.analysis, vocabulary.calendar, vocabulary.numbers, vocabulary.width, reader)
    return frame.mapInArrow(parsing, schema)


@dataclass(frozen=True)
class _Texts:
    """Records by their texts."""

    texts: list[str]
    name: str

    def origin(self, _row: int) -> Origin:
        return at_line(self.name, 1)

    def text(self, row: int) -> str:
        return self.texts[row]


def _json_lines(batch: pa.RecordBatch, rules: Rules) -> Batch:
    texts = [text for text in batch.column("value").to_pylist() if text and text.strip()]
    origin = at_line("", 1)
    lines = (text.strip().removeprefix("\ufeff").encode() for text in texts)
    return batch_of_records([read_json(line, origin, rules) for line in lines], _Texts(texts, ""))


@dataclass(frozen=True)
class _TableReader:
    """Rows of a table as records."""

    header: tuple[str, ...]
    predicate: str
    columns: tuple[str, ...]
    typed: bool

    def check(self, vocabulary: Vocabulary) -> None:
        """`Rejected` when the columns do not fit, or the program does not take the predicate."""
        if "time" not in self.header:
            message = f"The table of {self.predicate} has no column `time`."
            hint = f"The columns are {', '.join(self.header)}; name others with `#input` or in the pipeline file."
            raise Rejected([Diagnostic("E407", message, hint)])
        layout = self._layout()
        if layout.predicate:
            refused = vocabulary.objection(Signature(self.predicate, len(layout.arguments)))
            if refused is not None:
                raise Rejected([refused])

    def __call__(self, batch: pa.RecordBatch, rules: Rules) -> Batch:
        cells = batch.select(list(self.header))
        if not self.typed:
            filled = [column.fill_null("") for column in cells.columns]
            cells = pa.RecordBatch.from_arrays(filled, names=list(self.header))
        rows = cells.to_pylist()
        texts = [",".join(str(row[name]) for name in self.header) for row in rows]
        to_cells = typed_cells if self.typed else text_cells
        return read_batch(cells, self._layout(), rules, _Texts(texts, self.predicate), to_cells)

    def _layout(self) -> Layout:
        rules = Rules(columns={self.predicate: self.columns} if self.columns else {})
        return Layout.of(self.header, self.predicate, rules, at_line(self.predicate, 1))


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
        rules = Rules(self.calendar, ordered=False, objection=admission.to_signature)
        for batch in batches:
            yield self._rows(batch, rules)

    def _rows(self, batch: pa.RecordBatch, rules: Rules) -> pa.RecordBatch:
        texts_at = batch.column("value").to_pylist() if "value" in batch.schema.names else None
        kept = None if texts_at is None else [n for n, text in enumerate(texts_at) if text and text.strip()]
        found = self.reader(batch, rules)
        chunk = Judge(rules).chunk(found)
        times: list[int | None] = [None] * len(found)
        facts: list[Fact | None] = [None] * len(found)
        objections: list[str | None] = [None] * len(found)
        texts: list[str | None] = [None] * len(found)
        for row, time, fact in chunk.rows():
            times[row], facts[row] = time, fact
        for one in chunk.refused:
            objections[one.order], texts[one.order] = _told(one.diagnostic), one.record
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


def _told(finding: Diagnostic) -> str:
    return f"{finding.code}: {finding.message}"
