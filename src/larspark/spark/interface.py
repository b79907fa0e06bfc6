"""The Python interface: a program and DataFrames in, DataFrames out."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from pathlib import Path

from pyspark.sql import DataFrame

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.tree import Duration
from larspark.language.values import Value
from larspark.runtime.atoms import AtomLike
from larspark.runtime.durations import Span
from larspark.runtime.prepared import ProgramLike, prepare
from larspark.spark.asking import AskedRun, ReasonedTables
from larspark.spark.bounded.start import RunOptions
from larspark.spark.bounded.to_frames import run_to_frames
from larspark.spark.plan.plan import SparkPlan, make_plan
from larspark.spark.read.background import background_facts
from larspark.spark.read.inputs import inputs_of_frames
from larspark.spark.session.failures import SparkError, explained
from larspark.spark.session.session import spark_session
from larspark.spark.stream.reason_stream import reason_stream
from larspark.spark.stream.results.tables import Style
from larspark.spark.write.dead_letters import DEAD_LETTERS
from larspark.spark.write.named_columns import read_columns, with_columns

_LOG = logging.getLogger("larspark")


def reason(  # noqa: PLR0913 - all but two are keywords that are seldom needed
    program: ProgramLike,
    frames: DataFrame | Mapping[str, DataFrame],
    *,
    background: Mapping[str, DataFrame] | Iterable[AtomLike | Path] = (),
    timeline: tuple[int, int] | None = None,
    partitions: int | None = None,
    clock: Duration | str | None = None,
    epoch: datetime | None = None,
    timezone: str | None = None,
    constants: Mapping[str, Value] | None = None,
    allow_functions: bool = False,
    on_error: str | None = None,
    changes: bool = False,
    points: bool = False,
    columns: Mapping[str, str] | None = None,
    lateness: Span | None = None,
    awaited: Collection[str] | None = None,
    early: bool = False,
) -> dict[str, DataFrame]:
    """The conclusions of a program over DataFrames, one table per shown predicate.

    The program is a text, the name of a program file, or prepared; `clock`, `epoch` and `constants` stand over what it
    says.

    `frames` is one DataFrame with the columns `time`, `predicate` and the arguments, or with `time` and `atom`; or a
    mapping from predicates to DataFrames with `time` and a column per argument. The tables have the arguments, `from`
    and `to` (the evaluation times, both included), and `at` for atoms about another time point; with `changes` a row
    `+` where an interval starts and a row `-` right after its end. `columns` gives the arguments of tables names and
    types: `{"alarm": "machine string, value decimal(10,2)"}`. `background` holds at all times: facts, or a mapping from
    predicates to DataFrames with a column per argument. Bad records stop a bounded run unless `on_error` is `"skip"`:
    then they are in the table `_dead_letters`. What is odd about the data is told to the logger `larspark`.

    >>> alarms = reason("alarm(M) :- always hot(M) [2].", {"hot": frame})["alarm"]

    Streaming DataFrames give streaming DataFrames, to be written with `writeStream`. An interval is a row when it has
    ended and is final; the table `_dead_letters` has the records that are bad or late. `lateness` (time points, or text
    such as `"5 min"`) says how late an atom may arrive, unless `withWatermark` of the DataFrames does; `awaited` names
    the inputs that answers wait for, of which the slowest decides (default: all). `early` changes are told up to the
    latest time seen, and taken back when a late atom proves them wrong.

    >>> alarms = reason("alarm(M) :- always hot(M) [2].", {"hot": stream}, lateness="5 min")["alarm"]
    >>> alarms.writeStream.format("parquet").option("path", …).option("checkpointLocation", …).start()
    """
    prepared = prepare(
        program, clock=clock, epoch=epoch, timezone=timezone, constants=constants, allow_functions=allow_functions
    ).logged()
    named = {"atoms": frames} if isinstance(frames, DataFrame) else frames
    streaming = _stream(named, background)
    if isinstance(background, Mapping):
        background = background_facts(background, prepared.program)
    plan = plan_of(prepared, background)
    wanted = read_columns(columns or {}, plan)
    if streaming:
        if timeline is not None:
            message = "A stream begins with its first atom and has no end, so it has no `timeline`."
            raise Rejected([Diagnostic("E604", message, "Leave it out, or read the data as a bounded DataFrame.")])
        style = Style(early=early, changes=changes)
        return reason_stream(plan, named, lateness, awaited, partitions, on_error or "skip", style, wanted, points)
    if lateness is not None or awaited is not None or early:
        message = "`lateness`, `awaited` and `early` are about streams, and no DataFrame is one."
        raise Rejected([Diagnostic("E612", message, "Leave them out, or read with `readStream`.")])
    session = next((frame.sparkSession for frame in named.values()), None) or spark_session()
    options = RunOptions(timeline, partitions, on_error or "stop", changes=changes, points=points)
    try:
        run = run_to_frames(session, plan, inputs_of_frames(named, plan.vocabulary), options)
    except SparkError as error:
        raise explained(error) from error
    for finding in run.findings:
        _LOG.warning("%s", finding)
    tables = {name: with_columns(table, wanted.get(name)) for name, table in run.tables.items()}
    if on_error == "skip":
        tables[DEAD_LETTERS] = run.dead_letters
    asked = prepared if not background else prepare(prepared, background=background)
    return ReasonedTables(tables, AskedRun(asked, named, (run.start, run.end), points))


def _stream(frames: Mapping[str, DataFrame], background: Mapping[str, DataFrame] | Iterable[AtomLike | Path]) -> bool:
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


def plan_of(program: ProgramLike, background: Iterable[AtomLike | Path] = ()) -> SparkPlan:
    """The plan of a program in any form."""
    prepared = prepare(program, background=background).require("spark")
    return make_plan(prepared.analysis, prepared.background, prepared.calendar)
