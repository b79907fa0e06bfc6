"""The interval reasoner alone over Parquet files: no Spark, no exchange, one partition with everything in it."""

from __future__ import annotations

from pathlib import Path

from larspark.spark.bounded.flow import Flow
from larspark.spark.bounded.to_folder import targets_in
from larspark.spark.evaluate.messages import BEFORE_ALL, Message, MessageKind, as_batches, received
from larspark.spark.plan.division import TimeDivision
from larspark.spark.plan.plan import EvaluationSpan, SparkPlan
from larspark.spark.plan.work import StagePart
from larspark.spark.read.arrivals import PieceSending
from larspark.spark.read.parquet import row_groups
from larspark.spark.read.rules import InputSource
from larspark.spark.write.files import FileOutput, Report
from larspark.spark.write.finishing import fits, schema_of


def run_alone(plan: SparkPlan, source: Path, output: Path) -> None:
    """Write the result tables of a program with one stage, by the tasks that Spark runs for it in two rounds."""
    tables = sorted(source.iterdir())
    groups = [
        group for table in tables for group in row_groups(_files(table), InputSource(str(table)), plan.vocabulary)
    ]
    spans = [group.span for group in groups if group.span]
    first, last = min(span[0] for span in spans), max(span[1] for span in spans)
    targets = targets_in(output, plan)
    for target in targets.values():
        target.folder.mkdir(parents=True, exist_ok=True)
    whole = TimeDivision((StagePart(0, first, last),), 0)
    flow = Flow(plan, EvaluationSpan(first, first, last), 1, FileOutput(targets), [whole])
    sending = PieceSending(list(enumerate(groups)), flow.divided(flow.arriving(0)), (0, last), False)
    messages = [message for number in range(len(groups)) for message in sending.messages(number)]
    messages.sort(key=lambda message: (message.first, message.kind))
    seed = Message(0, 0, BEFORE_ALL, MessageKind.SEED, 0)
    told = received(flow.task(0)(as_batches([seed, *messages])))
    reports = [Report.read(bytes(one.content or b"")) for one in told if one.kind == MessageKind.REPORT]
    for signature, target in targets.items():
        own = [report for report in reports if report.predicate == target.number]
        assert all(fits(report, schema_of(target, own), target) for report in own), signature


def _files(table: Path) -> list[Path]:
    return sorted(table.iterdir()) if table.is_dir() else [table]
