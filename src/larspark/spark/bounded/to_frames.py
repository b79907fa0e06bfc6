"""A bounded run over DataFrames, whose tables are DataFrames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from larspark.spark.bounded.flow import Flow
from larspark.spark.bounded.run import Ran, run_stages
from larspark.spark.bounded.sources import KeptMessages
from larspark.spark.bounded.start import RunOptions, RunSummary, read_inputs, span_of, summary_of
from larspark.spark.evaluate.messages import OUTPUT
from larspark.spark.plan.plan import SparkPlan
from larspark.spark.read.inputs import Inputs
from larspark.spark.write.dead_letters import COLUMNS, open_letters
from larspark.spark.write.finishing import joined_sorts
from larspark.spark.write.frames import FrameOutput, TableRows
from larspark.spark.write.names import argument_names, known_sorts, table_names


@dataclass(frozen=True)
class Results(RunSummary):
    """What a bounded run has concluded; kept on disk until `close`."""

    tables: dict[str, DataFrame]
    dead_letters: DataFrame
    """Bad records, with the reason."""
    read: KeptMessages
    ran: Ran

    def close(self) -> None:
        self.read.frame.unpersist()
        self.ran.close()


def run_to_frames(session: SparkSession, plan: SparkPlan, inputs: Inputs, options: RunOptions) -> Results:
    """Evaluate a program over bounded inputs."""
    kept = read_inputs(session, plan, inputs, options)
    numbers = plan.vocabulary.numbers
    flow = Flow(plan, span_of(plan, kept, options), options.buckets(session), FrameOutput(numbers))
    ran = run_stages(session, flow, kept, keep=True)
    shown = reduce(DataFrame.unionByName, ran.frames) if ran.frames else kept.frame.limit(0)
    tables, rows = dict[str, DataFrame](), dict[str, int]()
    times, known = options.times(plan, kept.form), known_sorts(plan, kept.sorts)
    for name, one in table_names(plan).items():
        reports = [report for report in ran.reports if report.predicate == numbers[one]]
        sorts = dict(zip(argument_names(plan, one), joined_sorts(known[one], reports), strict=True))
        opening = TableRows(name, one, sorts, options.changes, times=times)
        own = shown.where((sf.col("stage") == OUTPUT) & (sf.col("predicate") == numbers[one]))
        tables[name] = own.mapInArrow(opening, opening.schema)
        rows[name] = sum(report.rows for report in reports) * (2 if options.changes else 1)
    letters = kept.dead_letters.mapInArrow(open_letters, COLUMNS)
    summary = summary_of(flow, kept, ran, rows, options)
    return Results(**vars(summary), tables=tables, dead_letters=letters, read=kept, ran=ran)
