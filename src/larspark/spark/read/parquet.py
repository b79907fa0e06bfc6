"""Parquet files: row groups are read by workers, and footers tell their times before that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from larspark.analysis.typing.sorts import Sort
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import TimeForm
from larspark.language.facts import Signature
from larspark.read import Chunk, Rules
from larspark.read.batch import ChunkMaker
from larspark.read.columns.layout import RowLayout
from larspark.read.columns.time_columns import form_of_type, times_of
from larspark.read.formats.tables import RowPlaces, read_batch
from larspark.spark.plan.plan import ProgramVocabulary
from larspark.spark.read.rules import InputSource, checked_layout, predicate_of, rules_for
from larspark.write.columns import sort_of_arrow

BLOCK = 1 << 18
"""Rows that a task holds at once."""


@dataclass(frozen=True)
class RowGroup:
    """A row group of a file."""

    path: str
    number: int
    rows: int
    before: int
    """Rows of the file in front of it."""
    rules: Rules
    signature: Signature
    """What its rows are, unless columns say it."""
    columns: tuple[str, ...]
    """Those that are read."""
    span: tuple[int, int] | None
    """The first and the last time, if the footer tells them and that no cell is empty."""
    form: TimeForm
    """How times are written."""
    sorts: tuple[Signature, tuple[Sort, ...]] | None
    """What the types of the columns tell about the arguments; None where columns name the predicate."""

    def chunks(self, size: int = BLOCK) -> Iterator[Chunk]:
        schema = pq.read_schema(self.path)
        texts = [name for name in self.columns if pa.types.is_string(schema.field(name).type)]
        layout = RowLayout.of(self.columns, self.signature.predicate, self.rules, None)
        maker, row = ChunkMaker(self.rules, self.before), self.before + 1
        with pq.ParquetFile(self.path, read_dictionary=texts) as file:
            for batch in file.iter_batches(size, [self.number], list(self.columns), use_threads=False):
                yield maker.chunk(read_batch(batch, layout, self.rules, RowPlaces(batch, self.path, row)))
                row += len(batch)


def row_groups(paths: Sequence[Path], source: InputSource, vocabulary: ProgramVocabulary) -> Iterator[RowGroup]:
    """The row groups of the files of a table."""
    for path in paths:
        try:
            file = pq.ParquetFile(path)
        except (OSError, pa.ArrowException) as error:
            reason = str(error).splitlines()[0].rstrip(".")
            message = f"`{path}` cannot be read: {reason}."
            raise Rejected([Diagnostic("E406", message, "Check the name and the format.")]) from error
        with file:
            yield from _groups(path, file, source, vocabulary)


def _groups(path: Path, file: pq.ParquetFile, source: InputSource, vocabulary: ProgramVocabulary) -> Iterator[RowGroup]:
    layout = checked_layout(file.schema_arrow, source, vocabulary)
    names = file.schema_arrow.names
    columns = tuple(names[place] for place in layout.needed)
    rules, before = rules_for(source, vocabulary), 0
    signature = Signature(predicate_of(source), len(layout.arguments))
    plain = layout.atom is None and layout.named is None
    assert layout.time is not None
    form = form_of_type(file.schema_arrow.field(layout.time).type)
    told = tuple(sort_of_arrow(file.schema_arrow.field(place).type) for place in layout.arguments)
    sorts = (signature, told) if plain else None
    whole = RowGroup(str(path.absolute()), 0, 0, 0, rules, signature, columns, None, form, sorts)
    for number in range(file.metadata.num_row_groups):
        footer = file.metadata.row_group(number)
        if footer.num_rows:
            span = _span(footer, file.schema_arrow.field(layout.time), columns, rules) if plain else None
            yield replace(whole, number=number, rows=footer.num_rows, before=before, span=span)
        before += footer.num_rows


def _span(footer: pq.RowGroupMetaData, time: pa.Field, columns: Sequence[str], rules: Rules) -> tuple[int, int] | None:
    """The first and the last time, as far as the footer proves that no cell is empty and all times can be counted."""
    statistics = (footer.column(place) for place in range(footer.num_columns))
    told = {column.path_in_schema: column.statistics for column in statistics}
    if any(told.get(name) is None or not told[name].has_null_count or told[name].null_count for name in columns):
        return None
    if not told[time.name].has_min_max or not (
        pa.types.is_signed_integer(time.type) or pa.types.is_timestamp(time.type)
    ):
        return None
    found = times_of(pa.array([told[time.name].min, told[time.name].max], time.type), rules.calendar)
    return None if found.faults else (int(np.min(found.points)), int(np.max(found.points)))
