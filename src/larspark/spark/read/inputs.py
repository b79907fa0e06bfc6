"""What a bounded run reads: pieces of files that workers open, and DataFrames whose rows Spark hands over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.streaming.readwriter import DataStreamReader

from larspark.analysis.typing.sorts import Sort
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import TimeForm
from larspark.language.facts import Signature
from larspark.read import Chunk, Rules
from larspark.read.batch import ChunkMaker
from larspark.read.columns.layout import RowLayout
from larspark.read.columns.time_columns import form_of_type
from larspark.read.columns.value_columns import text_cells, typed_cells
from larspark.read.formats.endings import CSV, ENDINGS, PARQUET
from larspark.read.formats.tables import RowPlaces, read_batch
from larspark.read.live.addresses import is_live
from larspark.read.places import not_there
from larspark.spark.evaluate.messages import Batches
from larspark.spark.plan.plan import ProgramVocabulary
from larspark.spark.read.arrivals import FilePiece, RowReader
from larspark.spark.read.parquet import RowGroup, row_groups
from larspark.spark.read.rules import InputSource, checked_layout, predicate_of, rules_for
from larspark.spark.read.tables import is_table, table_frame, with_predicate
from larspark.spark.read.texts import LineRows, csv_pieces, json_pieces
from larspark.spark.session.failures import SparkError, cause_of
from larspark.spark.session.session import is_remote
from larspark.write.columns import sort_of_arrow


@dataclass(frozen=True)
class FrameInput:
    """A DataFrame, and how its rows are read."""

    frame: DataFrame
    reader: RowReader
    name: str = ""
    """Where records come from, for those that cannot be used."""
    form: TimeForm = TimeForm.POINTS
    """How times are written, as far as the type of their column tells."""
    sorts: tuple[Signature, tuple[Sort, ...]] | None = None
    """What the types of the columns tell about the arguments."""


@dataclass(frozen=True)
class Inputs:
    pieces: tuple[FilePiece, ...] = ()
    """In the order of arrival."""
    frames: tuple[FrameInput, ...] = ()

    @property
    def form(self) -> TimeForm:
        """How times are written, as far as the types of columns tell."""
        groups = (piece.form for piece in self.pieces if isinstance(piece, RowGroup))
        return max([TimeForm.POINTS, *groups, *(one.form for one in self.frames)])

    @property
    def sorts(self) -> Mapping[Signature, tuple[Sort, ...]]:
        """What the types of columns tell about arguments; nothing where other inputs have no types."""
        groups = [piece.sorts for piece in self.pieces if isinstance(piece, RowGroup)]
        if len(groups) < len(self.pieces):
            return {}
        return united_sorts([*groups, *(one.sorts for one in self.frames)])


def united_sorts(
    told: Iterable[tuple[Signature, tuple[Sort, ...]] | None],
) -> dict[Signature, tuple[Sort, ...]]:
    """What several inputs tell together; nothing as soon as one of them tells nothing."""
    found: dict[Signature, tuple[Sort, ...]] = {}
    for one in told:
        if one is None:
            return {}
        signature, sorts = one
        before = found.get(signature, sorts)
        found[signature] = tuple(old | new for old, new in zip(before, sorts, strict=True))
    return found


@dataclass(frozen=True)
class FrameRows:
    """Reads the rows of a table; in untyped cells, digits are numbers."""

    columns: tuple[str, ...]
    predicate: str
    rules: Rules
    typed: bool = True

    def chunks(self, batches: Batches) -> Iterator[Chunk]:
        layout = RowLayout.of(self.columns, self.predicate, self.rules, None)
        maker, row = ChunkMaker(self.rules), 1
        to_cells = typed_cells if self.typed else text_cells
        for batch in batches:
            places = RowPlaces(batch, self.predicate, row)
            yield maker.chunk(read_batch(batch, layout, self.rules, places, to_cells))
            row += len(batch)


def inputs_of_frames(frames: Mapping[str, DataFrame], vocabulary: ProgramVocabulary) -> Inputs:
    """DataFrames by the predicates that are in them, unless columns say it."""
    return Inputs(
        frames=tuple(frame_input(one, InputSource(predicate=name), vocabulary) for name, one in frames.items())
    )


def frame_input(
    frame: DataFrame, source: InputSource, vocabulary: ProgramVocabulary, *, typed: bool = True
) -> FrameInput:
    """A table; `Rejected` when its columns do not fit."""
    schema = arrow_schema(frame)
    layout = checked_layout(schema, source, vocabulary)
    columns = tuple(frame.columns[place] for place in layout.needed)
    reader = FrameRows(columns, predicate_of(source), rules_for(source, vocabulary), typed)
    assert layout.time is not None
    sorts = None
    if typed and layout.atom is None and layout.named is None:
        told = tuple(sort_of_arrow(schema.field(place).type) for place in layout.arguments)
        sorts = (Signature(predicate_of(source), len(layout.arguments)), told)
    form = form_of_type(schema.field(layout.time).type)
    return FrameInput(frame.select(*(f"`{name}`" for name in columns)), reader, predicate_of(source), form, sorts)


def arrow_schema(frame: DataFrame) -> pa.Schema:
    try:
        return to_arrow_schema(frame.schema, timezone="UTC")  # which one does not matter for a type
    except SparkError as error:
        hint = "Arguments are numbers, texts, truth values and dates."
        raise Rejected(
            [Diagnostic("E407", f"A column has a type that cannot be read: {cause_of(error)}.", hint)]
        ) from error


def inputs_of_sources(
    session: SparkSession, sources: Sequence[InputSource | str], vocabulary: ProgramVocabulary
) -> Inputs:
    """Files and folders; what is elsewhere is read by Spark."""
    pieces: list[FilePiece] = []
    frames: list[FrameInput] = []
    for given in sources:
        source = InputSource(given) if isinstance(given, str) else given
        if is_table(source.path):
            named = with_predicate(source)
            frames.append(frame_input(table_frame(session, named), named, vocabulary))
            continue
        check_bounded(source)
        for one in _tables(source):
            files = None if is_remote(session) else _files(one.path)
            if files is None:
                frames.append(_by_spark(session, one, vocabulary))
            else:
                pieces += _pieces(files, one, vocabulary)
    pieces.sort(key=lambda piece: Path(piece.path).as_uri())  # one file after the other
    return Inputs(tuple(pieces), tuple(frames))


def check_bounded(source: InputSource) -> None:
    if source.format or is_live(source.path):
        message = f"`{source.name}` has no end, and a bounded run waits for it."
        raise Rejected([Diagnostic("E607", message, "Add `--follow`.")])
    check_exists(source)


def check_exists(source: InputSource) -> None:
    if "://" not in source.path and not Path(source.path).exists():
        raise Rejected([not_there(Path(source.path))])


def _tables(source: InputSource) -> Iterator[InputSource]:
    """A folder holds several; each is named after its predicate."""
    place = Path(source.path)
    if "://" in source.path or not place.is_dir() or place.suffix.lower() in ENDINGS:
        yield source
        return
    inside = sorted(one for one in place.iterdir() if one.suffix.lower() in ENDINGS)
    if not inside:
        hint = f"Files that can be read end in {', '.join(ENDINGS)}."
        raise Rejected([Diagnostic("E406", f"The folder `{source.path}` holds no data.", hint)])
    yield from (replace(source, path=str(one)) for one in inside)


def _files(path: str) -> list[Path] | None:
    """The files of a table; None where only Spark knows them."""
    place = Path(path)
    if "://" in path:
        return None
    if not place.is_dir():
        return [place]
    parts = [part for part in sorted(place.iterdir()) if part.name[0] not in "._"]
    return None if any(part.is_dir() for part in parts) else parts


def _pieces(files: Sequence[Path], source: InputSource, vocabulary: ProgramVocabulary) -> Iterator[FilePiece]:
    ending = Path(source.path).suffix.lower()
    if ending in PARQUET:
        return row_groups(files, source, vocabulary)
    if ending in CSV:
        return csv_pieces(files, source, vocabulary)
    return json_pieces(files, rules_for(source, vocabulary))


def _by_spark(session: SparkSession, source: InputSource, vocabulary: ProgramVocabulary) -> FrameInput:
    ending = Path(source.path).suffix.lower()
    try:
        if ending in PARQUET:
            return frame_input(session.read.parquet(source.path), source, vocabulary)
        if ending in CSV:
            cells = csv_cells(session.read).csv(source.path)
            return frame_input(cells, source, vocabulary, typed=False)
        return FrameInput(session.read.text(source.path), LineRows(source.path, rules_for(source, vocabulary)))
    except SparkError as error:
        raise unreadable(source, error) from error


Reader = TypeVar("Reader", DataFrameReader, DataStreamReader)


def csv_cells(reader: Reader) -> Reader:
    """Cells with quotes as other readers of CSV take them."""
    return reader.option("header", True).option("escape", '"')


def unreadable(source: InputSource, error: Exception) -> Rejected:
    message = f"`{source.path}` cannot be read: {cause_of(error)}."
    return Rejected([Diagnostic("E406", message, "Check the name and the format.")])
