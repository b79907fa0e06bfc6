"""The interval reasoner alone over Parquet files: no Spark, no exchange, one partition with everything in it."""

from __future__ import annotations

from pathlib import Path

from larspark.spark.direct.course import Course
from larspark.spark.direct.parcels import as_batches
from larspark.spark.direct.tables import file_tables
from larspark.spark.direct.typed import fits, schema_of
from larspark.spark.direct.written import Report
from larspark.spark.plan import Plan, Span
from larspark.spark.skew import Division
from larspark.spark.work import Part


def run_alone(plan: Plan, source: Path, output: Path) -> None:
    """Write the result tables of a program with one stage, by the tasks that Spark runs for it in two rounds."""
    tables = file_tables([str(source)], plan.vocabulary, utc=True)
    groups = [group for table in tables for group in table.groups]
    first, last = min(group.first for group in groups), max(group.last for group in groups)
    whole = Division((Part(0, first, last),), 0)
    course = Course(plan, tables, Span(first, first, last), 1, (whole,), output)
    for target in course.targets.values():
        target.folder.mkdir(parents=True, exist_ok=True)
    sending = course.sending(0)
    parcels = [parcel for number in range(len(sending.errands)) for parcel in sending.parcels(number)]
    parcels.sort(key=lambda parcel: (parcel.first, parcel.kind))
    told = (batch.to_pylist()[0] for batch in course.evaluating(0)(as_batches(parcels)))
    reports = [Report.read(one["content"]) for one in told]
    for signature, target in course.targets.items():
        own = [report for report in reports if report.predicate == target.number]
        assert all(fits(report, schema_of(target, own)) for report in own), signature
