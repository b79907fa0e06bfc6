"""The Python interface: a program and DataFrames in, DataFrames out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import reduce

from pyspark.sql import DataFrame

from larspark.analysis.analysis import Analysis
from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.resolve import clock_of
from larspark.language.tree import Program
from larspark.spark.background import background_facts
from larspark.spark.batch import run_bounded
from larspark.spark.lateness import Lateness
from larspark.spark.named_columns import read_columns, with_columns
from larspark.spark.plan import Plan, make_plan
from larspark.spark.reason_stream import reason_stream
from larspark.spark.sources import intake_of_frame
from larspark.spark.streaming.delivery import Style
from larspark.spark.tables import change_log


def reason(  # noqa: PLR0913 - all but two are keywords that are seldom needed
    program: Program | Analysis | str,
    frames: DataFrame | Mapping[str, DataFrame],
    *,
    background: Mapping[str, DataFrame] | Iterable[Fact] = (),
    timeline: tuple[int, int] | None = None,
    partitions: int | None = None,
    calendar: Calendar | None = None,
    on_error: str | None = None,
    changes: bool = False,
    columns: Mapping[str, str] | None = None,
    lateness: Lateness | None = None,
    awaited: Collection[str] | None = None,
    early: bool = False,
) -> dict[str, DataFrame]:
    """The conclusions of a program over DataFrames, one table per shown predicate.

    `frames` is one DataFrame with the columns `time`, `predicate` and the arguments, or with `time` and `atom`; or a
    mapping from predicates to DataFrames with `time` and a column per argument. The tables have the arguments, `from`
    and `to` (the evaluation times, both included), and `at` for atoms about another time point; with `changes` a row
    `+` where an interval starts and a row `-` right after its end. `columns` gives the arguments of tables names and
    types: `{"alarm": "machine string, value decimal(10,2)"}`. `background` holds at all times: facts, or a mapping from
    predicates to DataFrames with a column per argument. Bad records stop a bounded run unless `on_error` is `"skip"`.

    >>> alarms = reason("alarm(M) :- always hot(M) [2].", {"hot": frame})["alarm"]

    Streaming DataFrames give streaming DataFrames, to be written with `writeStream`. An interval is a row when it has
    ended and is final; the table `_dead_letters` has the records that are bad or late. `lateness` (time points, or text
    such as `"5 min"`) says how late an atom may arrive, unless `withWatermark` of the DataFrames does; `awaited` names
    the inputs that answers wait for, of which the slowest decides (default: all). `early` changes are told up to the
    latest time seen, and taken back when a late atom proves them wrong.

    >>> alarms = reason("alarm(M) :- always hot(M) [2].", {"hot": stream}, lateness="5 min")["alarm"]
    >>> alarms.writeStream.format("parquet").option("path", …).option("checkpointLocation", …).start()
    """
    if isinstance(program, str):
        program = parse_program(program)
    named = {"atoms": frames} if isinstance(frames, DataFrame) else frames
    streaming = _stream(named, background)
    if isinstance(background, Mapping):
        background = background_facts(background, program.program if isinstance(program, Analysis) else program)
    plan = plan_of(program, tuple(background), calendar)
    wanted = read_columns(columns or {}, plan)
    if streaming:
        if timeline is not None:
            message = "A stream begins with its first atom and has no end, so it has no `timeline`."
            raise Rejected([Diagnostic("E604", message, "Leave it out, or read the data as a bounded DataFrame.")])
        style = Style(early=early, changes=changes)
        return reason_stream(plan, named, lateness, awaited, partitions, on_error or "skip", style, wanted)
    if lateness is not None or awaited is not None or early:
        message = "`lateness`, `awaited` and `early` are about streams, and no DataFrame is one."
        raise Rejected([Diagnostic("E612", message, "Leave them out, or read with `readStream`.")])
    intakes = [intake_of_frame(frame, predicate, plan.vocabulary) for predicate, frame in named.items()]
    intake = reduce(DataFrame.unionByName, intakes)
    run = run_bounded(plan, intake, timeline=timeline, partitions=partitions, on_error=on_error or "stop")
    tables = {name: with_columns(table, wanted.get(name)) for name, table in run.tables.items()}
    return {name: change_log(table) if changes else table for name, table in tables.items()}


def _stream(frames: Mapping[str, DataFrame], background: Mapping[str, DataFrame] | Iterable[Fact]) -> bool:
    """Whether the input is a stream; `Rejected` when only a part of it is, or when the background is one."""
    streaming = [name for name, frame in frames.items() if frame.isStreaming]
    bounded = [name for name in frames if name not in streaming]
    if streaming and bounded:
        message = f"{', '.join(bounded)} is a table and {', '.join(streaming)} a stream; input is one or the other."
        hint = "Give as `background` what always holds, and read as a stream what arrives."
        raise Rejected([Diagnostic("E612", message, hint)])
    if isinstance(background, Mapping):
        for name, frame in background.items():
            if frame.isStreaming:
                message = f"The background {name} is a stream, and background holds at all times."
                raise Rejected([Diagnostic("E612", message, "Read it as a table, or let it be input with `[all]`.")])
    return bool(streaming)


def plan_of(program: Program | Analysis | str, background: tuple[Fact, ...], calendar: Calendar | None = None) -> Plan:
    """The plan of a program in any form."""
    if isinstance(program, str):
        program = parse_program(program)
    if isinstance(program, Program):
        program = analyse(program, background={fact.signature for fact in background}).require()
    return make_plan(program, background, calendar or Calendar(clock=clock_of(program.program)))
