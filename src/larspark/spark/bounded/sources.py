"""The arrivals of a bounded run: read when a stage wants them, where footers tell enough; otherwise read before.

What is read before any stage runs is kept as blocks until all stages have it. Only then the timeline is known, how many
records are bad, and how heavy partitions are. Mostly these are no surprise, and the blocks are where they have to go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import accumulate
from typing import Protocol

import numpy as np
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from larspark.analysis.typing.sorts import Sort
from larspark.blocks import Block
from larspark.language.calendar import TimeForm
from larspark.language.facts import Signature
from larspark.spark.bounded.samples import NO_SAMPLE, Sample, as_sample, told
from larspark.spark.evaluate.messages import OTHERS, SCHEMA, MessageKind, known
from larspark.spark.evaluate.routing import Route
from larspark.spark.read.arrivals import (
    DEAD,
    READ,
    ArrivalReading,
    FrameReading,
    PieceReading,
    PieceSending,
    ReadSummary,
    Sending,
)
from larspark.spark.read.inputs import Inputs, united_sorts
from larspark.spark.read.parquet import BLOCK, RowGroup
from larspark.spark.session.session import cores

PIECES = 8
"""Pieces for which a task of its own is worth while; one costs Spark about as long as reading a row group takes."""

DEEPEST = 64
"""So many blocks may have data for one time point: a partition holds a message of each."""

LOOKED_INTO, ROWS = 16, 1 << 10
"""Row groups that are looked into to see how heavy partitions are, and how many rows of each."""


class ArrivalSource(Protocol):
    """What arrives, ready to be sent to the stages."""

    @property
    def rows(self) -> int: ...

    @property
    def span(self) -> tuple[int, int] | None:
        """The first and the last time; None: nothing arrives."""
        ...

    @property
    def counts(self) -> Mapping[Signature, int]:
        """The rows of each predicate."""
        ...

    @property
    def form(self) -> TimeForm:
        """How times are written."""
        ...

    @property
    def sorts(self) -> Mapping[Signature, tuple[Sort, ...]]:
        """What the types of columns tell about arguments."""
        ...

    @property
    def refused(self) -> Mapping[str, int]:
        """How many records were refused, by the code of the reason."""
        ...

    @property
    def dead_letters(self) -> DataFrame | None:
        """The records that were refused; None where there cannot be any."""
        ...

    def sample(self, route: Route) -> Sample:
        """Some of the rows that go this way: the time and the bucket."""
        ...

    def sent(self, session: SparkSession, route: Route, span: tuple[int, int]) -> DataFrame:
        """The messages of a stage; earlier times are not seen, later ones not evaluated."""
        ...


@dataclass(frozen=True)
class PlainFiles:
    """Row groups of which the footers tell everything; every stage reads them for itself."""

    groups: tuple[RowGroup, ...]
    ordered: bool
    """Whether the order of arrival matters anywhere."""
    refused: Mapping[str, int] = field(default_factory=dict)
    dead_letters: None = None

    @property
    def rows(self) -> int:
        return sum(group.rows for group in self.groups)

    @property
    def span(self) -> tuple[int, int] | None:
        return _hull(group.span for group in self.groups if group.span)

    @property
    def counts(self) -> Mapping[Signature, int]:
        found: Counter[Signature] = Counter()
        for group in self.groups:
            found[group.signature] += group.rows
        return found

    @property
    def form(self) -> TimeForm:
        return max((group.form for group in self.groups), default=TimeForm.POINTS)

    @property
    def sorts(self) -> Mapping[Signature, tuple[Sort, ...]]:
        return united_sorts(group.sorts for group in self.groups)

    def sample(self, route: Route) -> Sample:
        blocks = [known(block, route.numbers) for block in self._first_rows] if route.buckets > 1 else []
        wanted = (block for block in blocks if block.signature in route.keys)
        return np.concatenate([NO_SAMPLE, *map(route.sampled, wanted)])

    @cached_property
    def _first_rows(self) -> list[Block]:
        ends = np.cumsum([group.rows for group in self.groups])
        wanted = (np.arange(LOOKED_INTO) + 0.5) / LOOKED_INTO * (ends[-1] if len(ends) else 0)
        places = np.unique(np.searchsorted(ends, wanted))[: len(self.groups)]
        chunks = (next(self.groups[place].chunks(ROWS)) for place in places)
        return [block for chunk in chunks for block in chunk.blocks]

    def sent(self, session: SparkSession, route: Route, span: tuple[int, int]) -> DataFrame:
        pieces = self.pieces(route, span)
        return over_pieces(session, len(pieces)).mapInArrow(PieceSending(pieces, route, span, self.ordered), SCHEMA)

    def pieces(self, route: Route, span: tuple[int, int]) -> tuple[tuple[int, RowGroup], ...]:
        """The row groups that go this way and have times of the span, with their places among all."""
        signatures = {group.signature for group in self.groups}
        wanted = {one for one in signatures if (one if one in route.numbers else OTHERS) in route.keys}
        return tuple(
            (place, group)
            for place, group in enumerate(self.groups)
            if group.signature in wanted and (not group.span or (group.span[0] <= span[1] and group.span[1] >= span[0]))
        )


@dataclass(frozen=True)
class KeptMessages:
    """Everything that has been read, as messages."""

    frame: DataFrame
    summaries: tuple[ReadSummary, ...]
    samples: Mapping[int, Sample]
    """By stage."""
    homes: Mapping[Signature, int]
    """The stage in whose partitions the rows of a predicate are kept."""
    sorts: Mapping[Signature, tuple[Sort, ...]]
    """What the types of columns tell about arguments."""
    declared: TimeForm
    """How times are written, as far as the types of columns tell."""

    @property
    def counts(self) -> Mapping[Signature, int]:
        found: Counter[Signature] = Counter()
        for predicate, arity, rows in (count for one in self.summaries for count in one.counts):
            found[Signature(predicate, arity)] += rows
        return found

    @property
    def form(self) -> TimeForm:
        return TimeForm(max([self.declared, *(one.form for one in self.summaries)]))

    @property
    def rows(self) -> int:
        return sum(one.rows for one in self.summaries)

    @property
    def refused(self) -> dict[str, int]:
        counted: Counter[str] = Counter()
        for one in self.summaries:
            counted.update(one.refused)
        return dict(sorted(counted.items()))

    @property
    def span(self) -> tuple[int, int] | None:
        return _hull(span for one in self.summaries for span in one.spans)

    def sample(self, route: Route) -> Sample:
        return self.samples.get(route.stage, NO_SAMPLE)

    @property
    def dead_letters(self) -> DataFrame:
        return self.frame.where(sf.col("stage") == DEAD)

    def sent(self, session: SparkSession, route: Route, span: tuple[int, int]) -> DataFrame:
        numbers = [route.numbers[one] for one in route.keys]
        read = self.frame.where((sf.col("stage") == READ) & sf.col("predicate").isin(numbers))
        if self._is_at(route, span):
            return read.withColumn("stage", sf.lit(route.stage))
        return read.mapInArrow(Sending(replace(route, cuts=self._cuts), span), SCHEMA)

    def _is_at(self, route: Route, span: tuple[int, int]) -> bool:
        """Whether all that goes this way is kept as it has to arrive."""
        divided = route.division is not None and route.division.divided
        whole = self.span is None or (span[0] <= self.span[0] and self.span[1] <= span[1])
        return (
            whole and not divided and not self._cuts and all(self.homes.get(one) == route.stage for one in route.keys)
        )

    @cached_property
    def _cuts(self) -> tuple[int, ...]:
        """Where data is not in the order of time, a partition would have to hold too much of it at once."""
        spans = [span for one in self.summaries for span in one.spans]
        if depth(spans) <= DEEPEST:
            return ()
        times = np.concatenate([np.ravel(spans), *(sample[:, 0] for sample in self.samples.values())])
        return tuple(np.unique(np.quantile(times, np.linspace(0, 1, DEEPEST), method="nearest")).tolist()[1:])


def plain_files(inputs: Inputs, *, ordered: bool) -> PlainFiles | None:
    """The inputs, if they are files whose footers tell all that has to be known before they are read."""
    groups = [piece for piece in inputs.pieces if isinstance(piece, RowGroup) and piece.span is not None]
    spans = [(*group.span, -(-group.rows // BLOCK)) for group in groups if group.span]
    if inputs.frames or len(groups) < len(inputs.pieces) or depth(spans) > DEEPEST:
        return None
    return PlainFiles(tuple(groups), ordered)


def read_all(session: SparkSession, inputs: Inputs, reading: ArrivalReading) -> KeptMessages:
    """Read the inputs, and keep what is in them."""
    frames = [one.frame.mapInArrow(FrameReading(one.reader, reading), SCHEMA) for one in inputs.frames]
    if inputs.pieces or not frames:
        pieces = over_pieces(session, len(inputs.pieces))
        frames.append(pieces.mapInArrow(PieceReading(inputs.pieces, reading), SCHEMA))
    frame = reduce(DataFrame.unionByName, frames).persist(StorageLevel.DISK_ONLY)
    summaries: list[ReadSummary] = []
    samples: dict[int, list[bytes]] = {}
    for kind, number, content in told([frame], MessageKind.REPORT, MessageKind.SAMPLE):
        if kind is MessageKind.REPORT:
            summaries.append(ReadSummary.read(content))
        else:
            samples.setdefault(number, []).append(content)
    found = {stage: as_sample(contents) for stage, contents in samples.items()}
    homes = {one: route.stage for one, route in reading.homes.items()}
    return KeptMessages(frame, tuple(summaries), found, homes, inputs.sorts, inputs.form)


def over_pieces(session: SparkSession, count: int) -> DataFrame:
    """The numbers of pieces, for the tasks that read them."""
    tasks = min(count, max(cores(session), -(-count // PIECES))) or 1
    return session.range(0, count, 1, tasks)


def depth(spans: Iterable[Sequence[int]]) -> int:
    """The largest number of blocks that may have data for one time point; a span may stand for several blocks."""
    weighed = [(span[0], span[1], span[2] if len(span) > 2 else 1) for span in spans]
    edges = sorted(edge for first, last, count in weighed for edge in ((first, count), (last + 1, -count)))
    return max(accumulate(change for _, change in edges), default=0)


def _hull(spans: Iterable[Sequence[int]]) -> tuple[int, int] | None:
    found = list(spans)
    return (min(span[0] for span in found), max(span[1] for span in found)) if found else None
