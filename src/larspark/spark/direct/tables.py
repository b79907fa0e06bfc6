"""Which inputs are plain Parquet files, and what their footers tell before anything is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.language.calendar import Calendar
from larspark.language.facts import Signature
from larspark.runtime.formats.files import ENDINGS, PARQUET
from larspark.spark.direct.columns import Unfit, is_argument, is_time, points
from larspark.spark.intake import PLACE, Vocabulary
from larspark.spark.pipeline_file import Source
from larspark.spark.rows import OTHER

BLOCK = 1 << 18
"""Rows that a task holds at once."""

DEEPEST = 64
"""So many blocks may have data for one time point: a worker holds a parcel of each."""


@dataclass(frozen=True)
class Group:
    """A row group of a file."""

    path: str
    number: int
    rows: int
    first: int
    last: int

    @property
    def blocks(self) -> int:
        return -(-self.rows // BLOCK)


@dataclass(frozen=True)
class FileTable:
    """The files of one predicate, in the order of arrival."""

    predicate: int
    """The number of the predicate."""
    time: str
    arguments: tuple[str, ...]
    groups: tuple[Group, ...]


def file_tables(sources: Iterable[Source | str], vocabulary: Vocabulary, *, utc: bool) -> tuple[FileTable, ...]:
    """The tables that the sources consist of; `Unfit` says why one of them must be read by Spark."""
    tables = tuple(
        _table(files, source, vocabulary, utc=utc)
        for source in (Source(one) if isinstance(one, str) else one for one in sources)
        for files in _listed(source)
    )
    if depth(group for table in tables for group in table.groups) > DEEPEST:
        raise Unfit("the files are not in the order of time")
    return tables


def _listed(source: Source) -> Iterator[tuple[Path, list[Path]]]:
    """The tables of a source, each with its files."""
    place = Path(source.path)
    if source.format or "://" in source.path or not place.exists():
        raise Unfit(f"`{source.name}` is no file here")
    if place.is_dir() and place.suffix.lower() not in ENDINGS:
        inside = sorted(one for one in place.iterdir() if one.suffix.lower() in ENDINGS)
    else:
        inside = [place]
    for one in inside:
        if one.suffix.lower() not in PARQUET:
            raise Unfit(f"`{one}` is not Parquet")
        parts = [part for part in sorted(one.iterdir()) if part.name[0] not in "._"] if one.is_dir() else [one]
        if not parts or any(part.is_dir() for part in parts):
            raise Unfit(f"`{one}` is not a folder of files")
        yield one, parts


def _table(files: tuple[Path, list[Path]], source: Source, vocabulary: Vocabulary, *, utc: bool) -> FileTable:
    place, parts = files
    predicate = source.predicate or place.stem
    opened = [_opened(part) for part in parts]
    schema = opened[0].schema_arrow
    if any(not one.schema_arrow.equals(schema) for one in opened):
        raise Unfit(f"the files of `{place}` have different columns")
    chosen = source.columns or tuple(name for name in schema.names if name != source.time)
    arguments = vocabulary.columns_of(predicate) or chosen
    known = {*schema.names}
    if not {source.time, *chosen} <= known or not {*arguments} <= {*chosen} or len(known) < len(schema.names):
        raise Unfit(f"`{place}` has other columns than the program expects")
    if not vocabulary.columns_of(predicate) and {"atom", "predicate", "time", *PLACE} & {*chosen}:
        raise Unfit(f"`{place}` does not hold the arguments of one predicate")
    strange = [name for name in arguments if not is_argument(schema.field(name).type)]
    if strange or not is_time(schema.field(source.time).type, utc=utc):
        raise Unfit(f"the column `{(strange or [source.time])[0]}` of `{place}` is of a type that Spark reads")
    signature = Signature(predicate, len(arguments))
    if vocabulary.objection(signature) is not None:
        raise Unfit(f"the program does not take {signature}")
    groups = tuple(
        group
        for part, one in zip(parts, opened, strict=True)
        for group in _groups(part, one, source.time, arguments, vocabulary.calendar)
    )
    return FileTable(vocabulary.numbers.get(signature, OTHER), source.time, arguments, groups)


def _opened(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path)
    except (OSError, pa.ArrowException) as error:
        raise Unfit(f"`{path}` cannot be opened") from error


def _groups(
    path: Path, opened: pq.ParquetFile, time: str, arguments: Sequence[str], calendar: Calendar
) -> Iterator[Group]:
    """The row groups, as far as the footer proves that no cell is empty and all times can be counted."""
    kind = opened.schema_arrow.field(time).type
    for number in range(opened.metadata.num_row_groups):
        footer = opened.metadata.row_group(number)
        if not footer.num_rows:
            continue
        columns = (footer.column(place) for place in range(footer.num_columns))
        told = {column.path_in_schema: column.statistics for column in columns}
        for name in (time, *arguments):
            if told[name] is None or not told[name].has_null_count or told[name].null_count:
                raise Unfit(f"`{path}` may have empty cells")
        if not told[time].has_min_max:
            raise Unfit(f"`{path}` does not tell its times")
        span = pa.chunked_array([pa.array([told[time].min, told[time].max], kind)])
        first, last = points(span, calendar).tolist()
        yield Group(str(path.absolute()), number, footer.num_rows, first, last)


def depth(groups: Iterable[Group]) -> int:
    """The largest number of blocks that may have data for one time point."""
    edges = sorted(edge for one in groups for edge in ((one.first, one.blocks), (one.last + 1, -one.blocks)))
    return max(accumulate(change for _, change in edges), default=0)
