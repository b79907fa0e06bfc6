"""A bounded run over plain files on Spark: tasks that read, and for each stage tasks that evaluate and write."""

from __future__ import annotations

from functools import reduce

import pyarrow.parquet as pq
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from larspark.spark.direct import parcels
from larspark.spark.direct.course import Course
from larspark.spark.direct.parcels import REPORTS
from larspark.spark.direct.typed import Converting, fits, schema_of
from larspark.spark.direct.written import Report, Target
from larspark.spark.tables import table_names

GROUPS = 8
"""Row groups for which a task of its own is worth while; one costs Spark about as long as reading a group takes."""


def run_course(session: SparkSession, course: Course) -> dict[str, int]:
    """Write the tables of all shown predicates; how many rows each has."""
    for target in course.targets.values():
        target.folder.mkdir(parents=True)
    frames: list[DataFrame] = []
    for stage in range(course.last + bool(course.united)):
        evaluated = _received(session, course, stage, frames).mapInArrow(course.evaluating(stage), parcels.SCHEMA)
        readers = len(course.ways(stage)) + bool(course.written_by(stage))
        frames.append(evaluated.persist(StorageLevel.DISK_ONLY) if readers > 1 else evaluated)
    reports = _reports(session, frames)
    for frame in frames:
        frame.unpersist()
    course.diary.close()
    return {
        name: _finished(session, course.targets[one], [it for it in reports if it.predicate == number])
        for name, one in table_names(course.plan).items()
        for number in [course.plan.vocabulary.numbers[one]]
    }


def _received(session: SparkSession, course: Course, stage: int, frames: list[DataFrame]) -> DataFrame:
    """The parcels of a stage, in its partitions, in the order in which they are opened."""
    sending = course.sending(stage)
    errands = len(sending.errands) or 1
    tasks = min(errands, max(session.sparkContext.defaultParallelism, -(-errands // GROUPS)))
    sent = session.range(0, errands, 1, tasks).mapInArrow(sending, parcels.SCHEMA)
    given = [frames[number].where(sf.col("stage") == stage) for number in course.sources(stage)]
    everything = reduce(DataFrame.unionByName, given, sent)
    count = len(course.division(stage).parts)
    return everything.repartitionById(count, sf.col("part")).sortWithinPartitions("first", "kind")


def _reports(session: SparkSession, frames: list[DataFrame]) -> list[Report]:
    if not frames:
        return []
    told = reduce(DataFrame.unionByName, (frame.where(sf.col("stage") == REPORTS) for frame in frames))
    return [Report.read(row["content"]) for row in told.select("content").collect()]


def _finished(session: SparkSession, target: Target, reports: list[Report]) -> int:
    """Give all files of a table the same types, and remove those that no report tells of."""
    schema = schema_of(target, reports)
    kept = {report.path for report in reports if fits(report, schema)}
    others = tuple((target.folder, report) for report in reports if report.path not in kept)
    if others:
        converting = Converting(others, {target.number: schema})
        again = session.range(0, len(others), 1, len(others)).mapInArrow(converting, parcels.SCHEMA)
        kept |= {report.path for report in _reports(session, [again])}
    for path in target.folder.iterdir():
        if path.name not in kept:
            path.unlink()
    if not kept:
        pq.write_table(schema.empty_table(), target.folder / "empty.parquet", store_schema=False)
    return sum(report.rows for report in reports)
