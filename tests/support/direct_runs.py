"""Runs over plain files without Spark: parcels are carried in plain Python, and tasks run as they do there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq

from larspark.language.facts import Fact, Signature
from larspark.language.values import Value, normal
from larspark.spark.direct.course import Course
from larspark.spark.direct.parcels import REPORTS, Batches
from larspark.spark.direct.tables import FileTable, file_tables
from larspark.spark.direct.typed import Converting, fits, schema_of
from larspark.spark.direct.written import Report
from larspark.spark.plan import Plan, Span
from larspark.spark.skew import Division, obstacle, reach_of
from larspark.spark.tables import table_names
from larspark.spark.work import Part
from support.interval_rows import Row


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


def tables_of(folder: Path, plan: Plan) -> tuple[FileTable, ...]:
    return file_tables([str(folder)], plan.vocabulary, utc=True)


def rows_from_files(
    plan: Plan, tables: tuple[FileTable, ...], output: Path, span: Span, buckets: int, cuts: Sequence[int] = ()
) -> set[Row]:
    """What is in the written files; the partitions are divided at the cuts in time where they can be."""
    course = Course(plan, tables, span, buckets, _divisions(plan, span, buckets, cuts), output)
    for target in course.targets.values():
        target.folder.mkdir(parents=True)
    carried: list[dict[str, object]] = []
    for stage in range(course.last + bool(course.united)):
        sending = course.sending(stage)
        carried += _done(sending, _numbers(len(sending.errands) or 1))
        for part in range(len(course.division(stage).parts)):
            own = [one for one in carried if (one["stage"], one["part"]) == (stage, part)]
            Random(part).shuffle(own)
            own.sort(key=lambda one: (one["first"], one["kind"]))
            given = [pa.RecordBatch.from_pylist([one], _SCHEMA) for one in own]
            carried += _done(course.evaluating(stage), given)
    reports = [Report.read(one["content"]) for one in carried if one["stage"] == REPORTS]
    return {row for name, one in table_names(plan).items() for row in _written(course, name, one, reports)}


_SCHEMA = pa.schema(
    [
        ("stage", pa.int32()),
        ("part", pa.int32()),
        ("first", pa.int64()),
        ("kind", pa.int32()),
        ("predicate", pa.int32()),
        ("content", pa.binary()),
    ]
)


def _done(task: Callable[[Batches], Batches], given: list[pa.RecordBatch]) -> list[dict[str, object]]:
    return [row for batch in task(iter(given)) for row in batch.to_pylist()]


def _numbers(count: int) -> list[pa.RecordBatch]:
    return [pa.record_batch([[number]], ["id"]) for number in range(count)]


def _divisions(plan: Plan, span: Span, buckets: int, cuts: Sequence[int]) -> tuple[Division, ...]:
    found = []
    for planned in plan.stages:
        count = buckets if planned.stage.keyed else 1
        divisible = bool(cuts) and not obstacle(plan, planned)
        begins = [span.begin, *cuts] if divisible else [span.begin]
        spans = list(zip(begins, [*(cut - 1 for cut in begins[1:]), span.end], strict=True))
        parts = tuple(Part(bucket, *one) for bucket in range(count) for one in spans)
        found.append(Division(parts, reach_of(plan, planned) if divisible else 0))
    return tuple(found)


def _written(course: Course, name: str, signature: Signature, reports: list[Report]) -> Iterable[Row]:
    target = course.targets[signature]
    own = [report for report in reports if report.predicate == target.number]
    schema = schema_of(target, own)
    others = [(target.folder, report) for report in own if not fits(report, schema)]
    again = _done(
        Converting(tuple(others), {target.number: schema}), [pa.record_batch([[n]], ["id"]) for n in range(len(others))]
    )
    kept = [report for report in own if fits(report, schema)] + [Report.read(one["content"]) for one in again]
    for report in kept:
        table = pq.read_table(target.folder / report.path)
        assert table.schema.equals(schema)
        assert len(table) == report.rows
        columns = [column.to_pylist() for column in table.columns]
        for *args, first, last, at in zip(*columns, strict=True):
            yield signature.predicate, tuple(map(_value, args)), first, last, at


def _value(value: Value) -> Value:
    return value if isinstance(value, str | int) else normal(value)
