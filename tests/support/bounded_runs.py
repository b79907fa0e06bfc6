"""Bounded runs without Spark: messages are carried in plain Python, and tasks run as they do there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from larspark.blocks import Block
from larspark.blocks.arguments import Argument, values_of
from larspark.blocks.spelling import read_spelling, spelled
from larspark.language.facts import Fact, Signature
from larspark.language.values import Value, normal
from larspark.read import Chunk, Rules
from larspark.read.batch import ChunkMaker, RecordColumns, parts_of_facts
from larspark.spark.bounded.flow import Flow
from larspark.spark.bounded.sources import PlainFiles
from larspark.spark.bounded.start import reading_of
from larspark.spark.bounded.to_folder import targets_in
from larspark.spark.bounded.to_frames import Results
from larspark.spark.evaluate.messages import (
    BEFORE_ALL,
    DRIVER,
    OUTPUT,
    Batches,
    Message,
    MessageKind,
    Received,
    as_batches,
    named,
)
from larspark.spark.evaluate.progress import NO_PROGRESS, ProgressNotes
from larspark.spark.evaluate.stage import Spreading
from larspark.spark.plan.division import TimeDivision, obstacle, reach_of
from larspark.spark.plan.plan import EvaluationSpan, SparkPlan
from larspark.spark.plan.work import StagePart
from larspark.spark.read.arrivals import READ, PieceSending, Sending
from larspark.spark.read.parquet import row_groups
from larspark.spark.read.rules import InputSource
from larspark.spark.write.files import FileOutput, Report
from larspark.spark.write.finishing import Converting, fits, in_lots, schema_of
from larspark.spark.write.frames import FrameOutput
from larspark.spark.write.names import table_names
from support.interval_rows import Row

Sent = Callable[[int], list[Message]]
"""The arrivals of a stage."""


def rows_in_partitions(
    plan: SparkPlan,
    arrivals: Iterable[tuple[int, Fact]],
    start: int,
    end: int,
    buckets: int,
    cuts: Sequence[int] = (),
    begin: int | None = None,
) -> set[Row]:
    """What a run concludes with this number of partitions, all divided at the cuts in time where they can be."""
    span = EvaluationSpan(start, start if begin is None else begin, end)
    output = FrameOutput(plan.vocabulary.numbers)
    flow = Flow(plan, span, buckets, output, _divisions(plan, span, buckets, cuts))
    reading = reading_of(plan, buckets)
    read = [one for one in reading.messages([chunk_of(arrivals)], 0) if one.stage == READ]
    carried = _carried(flow, lambda stage: _sent(flow, stage, read))
    names = named(plan.vocabulary.numbers)
    return {row for one in carried if one.stage == OUTPUT for row in _decoded(one, names)}


def concluded(results: Results, plan: SparkPlan) -> set[Row]:
    """What a run on Spark has handed out."""
    sent = [Message(*row) for frame in results.ran.frames for row in frame.where(f"stage = {OUTPUT}").collect()]
    names = named(plan.vocabulary.numbers)
    return {row for one in sent for row in _decoded(one._replace(content=bytes(one.content or b"")), names)}


def chunk_of(arrivals: Iterable[tuple[int, Fact]]) -> Chunk:
    """Arrivals as readers give them."""
    given = list(arrivals)
    facts = [fact for _, fact in given]
    times = pa.array([time for time, _ in given], pa.int64()).to_numpy()
    batch = RecordColumns(times, tuple(parts_of_facts(enumerate(facts))), None)  # type: ignore[arg-type]
    return ChunkMaker(Rules(ordered=False)).chunk(batch)


def _sent(flow: Flow, stage: int, read: list[Message]) -> list[Message]:
    route = flow.divided(flow.arriving(stage))
    numbers = {flow.plan.vocabulary.numbers[one] for one in route.keys}
    return _done(Sending(route, (flow.span.start, flow.span.end)), [one for one in read if one.predicate in numbers])


def _decoded(message: Message, names: dict[int, Signature]) -> Iterator[Row]:
    return rows_of_block(Received.of(message).block(names))


def rows_of_block(block: Block) -> Iterator[Row]:
    """Conclusions as they are compared."""
    assert block.until is not None
    assert all(map(_is_spelled_right, block.arguments))
    columns = [values_of(column) for column in block.arguments]
    args = zip(*columns, strict=True) if columns else [()] * len(block)
    ats = [None] * len(block) if block.at is None else block.at.tolist()
    for values, first, last, at in zip(args, block.times.tolist(), block.until.tolist(), ats, strict=True):
        yield block.signature.predicate, values, first, last, at


def _is_spelled_right(column: Argument) -> bool:
    """Whether every value has the one spelling that others look for."""
    texts: list[str] = [] if isinstance(column, np.ndarray) else column.dictionary.to_pylist()
    return all(text == spelled(read_spelling(text)) for text in texts)


def write_arrivals(folder: Path, arrivals: Iterable[tuple[int, Fact]], group: int, files: int = 1) -> None:
    """A table per predicate, in the order of arrival; `group` rows make a row group."""
    rows: dict[Signature, list[tuple[object, ...]]] = {}
    for time, fact in arrivals:
        rows.setdefault(fact.signature, []).append((time, *fact.args))
    for signature, found in rows.items():
        names = ["time", *(f"x{place}" for place in range(signature.arity))]
        table = pa.table([pa.array(column) for column in zip(*found, strict=True)], names=names)
        place = folder / f"{signature.predicate}.parquet"
        place.mkdir(parents=True)
        size = -(-len(table) // files)
        for number in range(files):
            pq.write_table(table.slice(number * size, size), place / f"part{number}.parquet", row_group_size=group)


def plain_tables(folder: Path, plan: SparkPlan) -> PlainFiles:
    """The row groups of a folder of Parquet tables."""
    groups = [
        group
        for table in sorted(folder.iterdir())
        for group in row_groups(sorted(table.iterdir()), InputSource(str(table)), plan.vocabulary)
    ]
    assert all(group.span for group in groups)
    return PlainFiles(tuple(groups), plan.ordered)


def rows_from_files(
    plan: SparkPlan,
    files: PlainFiles,
    output: Path,
    span: EvaluationSpan,
    buckets: int,
    cuts: Sequence[int] = (),
    progress: ProgressNotes = NO_PROGRESS,
) -> set[Row]:
    """What is in the written files; the partitions are divided at the cuts in time where they can be."""
    targets = targets_in(output, plan)
    for target in targets.values():
        target.folder.mkdir(parents=True)
    divisions = _divisions(plan, span, buckets, cuts)
    flow = Flow(plan, span, buckets, FileOutput(targets), divisions, progress)

    def sent(stage: int) -> list[Message]:
        route = flow.divided(flow.arriving(stage))
        pieces = files.pieces(route, (span.start, span.end))
        sending = PieceSending(pieces, route, (span.start, span.end), files.ordered)
        return [one for number in range(len(pieces)) for one in sending.messages(number)]

    carried = _carried(flow, sent)
    reports = [
        Report.read(one.content or b"") for one in carried if (one.stage, one.kind) == (DRIVER, MessageKind.REPORT)
    ]
    return {row for one in table_names(plan).values() for row in _written(flow, one, reports)}


def _carried(flow: Flow, sent: Sent) -> list[Message]:
    """All messages of a run."""
    carried: list[Message] = []
    for stage in range(flow.last + bool(flow.united)):
        given = sent(stage) if flow.arriving(stage).keys else []
        concluded = [one for one in carried if one.stage == stage]
        if stage < flow.last and flow.divisions[stage].divided:
            concluded = _done(Spreading(replace(flow.divided(flow.arriving(stage)), keys={})), concluded)
        for part in range(len(flow.parts(stage))):
            own = [one for one in [*given, *concluded] if one.part == part]
            Random(part).shuffle(own)
            own.sort(key=lambda one: (one.first, one.kind))
            seed = Message(stage, part, BEFORE_ALL, MessageKind.SEED, part)
            carried += _done(flow.task(stage), [seed, *own])
    return carried


def _done(task: Callable[[Batches], Batches], given: Iterable[Message]) -> list[Message]:
    return [Message(*row.values()) for batch in task(as_batches(given)) for row in batch.to_pylist()]


def _divisions(plan: SparkPlan, span: EvaluationSpan, buckets: int, cuts: Sequence[int]) -> list[TimeDivision]:
    found = []
    for planned in plan.stages:
        count = buckets if planned.stage.keyed else 1
        divisible = bool(cuts) and not obstacle(plan, planned)
        begins = [span.begin, *cuts] if divisible else [span.begin]
        spans = list(zip(begins, [*(cut - 1 for cut in begins[1:]), span.end], strict=True))
        parts = tuple(StagePart(bucket, *one) for bucket in range(count) for one in spans)
        found.append(TimeDivision(parts, reach_of(plan, planned) if divisible else 0))
    return found


def _written(flow: Flow, signature: Signature, reports: list[Report]) -> Iterable[Row]:
    assert isinstance(flow.output, FileOutput)
    target = flow.output.targets[signature]
    own = [report for report in reports if report.predicate == target.number]
    schema = schema_of(target, own)
    lots = in_lots([report for report in own if not fits(report, schema, target)])
    again = Converting(target, schema, lots)(iter([pa.record_batch([[number]], ["id"]) for number in range(len(lots))]))
    told = [Report.read(row["content"]) for batch in again for row in batch.to_pylist()]
    for report in [*(report for report in own if fits(report, schema, target)), *told]:
        table = pq.read_table(target.folder / report.path)
        assert table.schema.equals(schema)
        assert len(table) == report.rows
        columns = [column.to_pylist() for column in table.columns]
        for *args, first, last, at in zip(*columns, strict=True):
            yield signature.predicate, tuple(map(_value, args)), first, last, at


def _value(value: Value) -> Value:
    return value if isinstance(value, str | int) else normal(value)
