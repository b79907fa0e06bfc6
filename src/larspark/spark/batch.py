"""A bounded run: everything is there, the timeline is known, every conclusion is final."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from larspark.diagnostics import Diagnostic, Rejected
from larspark.spark.balance import Balance
from larspark.spark.exchange import Load, run_stages
from larspark.spark.intake import REFUSED
from larspark.spark.plan import Plan, Span
from larspark.spark.profile import profile_of
from larspark.spark.session import cores
from larspark.spark.tables import contents_of, result_tables, table_names
from larspark.spark.union import inputs_as_conclusions, united


@dataclass(frozen=True)
class Run:
    """The result of a bounded run."""

    tables: dict[str, DataFrame]
    rows: dict[str, int]
    """How many rows each table has."""
    start: int
    end: int
    arrivals: int
    refused: int
    dead_letters: DataFrame
    """Bad records, with the reason."""
    conclusions: DataFrame
    """What the tables are made of; kept in memory or on disk until `close`."""
    notes: tuple[str, ...]
    """About partitions that are heavier than others."""

    def close(self) -> None:
        self.conclusions.unpersist()


def run_bounded(
    plan: Plan,
    intake: DataFrame,
    *,
    timeline: tuple[int, int] | None = None,
    partitions: int | None = None,
    on_error: str = "stop",
) -> Run:
    """Evaluate the program over the whole intake."""
    buckets = partitions or cores(intake.sparkSession)
    dead_letters = intake.where(sf.col("objection").isNotNull()).select("objection", "record", "source")
    profile = profile_of(plan, intake, buckets)
    if profile.refused and on_error == "stop":
        raise Rejected([_refused(row["objection"], row["record"]) for row in dead_letters.take(5)])
    start, end = timeline_of(timeline, profile.first, profile.last)
    accepted = sf.col("objection").isNull() & (sf.col("time") <= end)
    arrivals = intake.where(accepted).drop(*REFUSED)
    span = Span(start, start, end)
    balance = Balance(plan, profile, span, buckets)
    conclusions = run_stages(plan, arrivals, span, buckets, Load(profile.filled, balance))
    if plan.analysis.intensional & plan.analysis.extensional:
        conclusions = conclusions.unionByName(inputs_as_conclusions(plan, arrivals))
    if plan.may_be_void:
        conclusions = conclusions.persist(StorageLevel.MEMORY_AND_DISK)
    shown = united(plan, conclusions, buckets, balance.cut).persist(StorageLevel.MEMORY_AND_DISK)
    contents = contents_of(plan, shown)
    rows = {name: contents.rows.get(plan.vocabulary.numbers[one], 0) for name, one in table_names(plan).items()}
    tables = result_tables(plan, shown, contents)
    return Run(tables, rows, start, end, profile.arrivals, profile.refused, dead_letters, shown, balance.notes)


def timeline_of(given: tuple[int, int] | None, first: int | None, last: int | None) -> tuple[int, int]:
    """The first and the last evaluation: those that are asked for, or those of the data."""
    start, end = given or (first or 0, last or 0)
    if end < start:
        raise Rejected([Diagnostic("E411", f"The timeline {start} {end} ends before it starts.", "Give T0 <= T1.")])
    if first is not None and first < start:
        message = f"An atom arrives at {first}, before the timeline starts at {start}."
        raise Rejected([Diagnostic("E411", message, "Let the timeline start earlier.")])
    return start, end


def _refused(objection: str, record: str) -> Diagnostic:
    code, _, message = objection.partition(": ")
    return Diagnostic(
        code, f"{message.rstrip('.')}, in the record {record[:200]}.", "Correct it, or run with `--on-error skip`."
    )
