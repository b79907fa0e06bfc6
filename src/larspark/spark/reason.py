"""The Python interface: a program and DataFrames in, DataFrames out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

from pyspark.sql import DataFrame

from larspark.analysis.analysis import Analysis
from larspark.analysis.pipeline import analyse
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.resolve import clock_of
from larspark.language.tree import Program
from larspark.spark.background import background_facts
from larspark.spark.batch import run_bounded
from larspark.spark.plan import Plan, make_plan
from larspark.spark.sources import intake_of_frame


def reason(
    program: Program | Analysis | str,
    frames: DataFrame | Mapping[str, DataFrame],
    *,
    background: Mapping[str, DataFrame] | Iterable[Fact] = (),
    timeline: tuple[int, int] | None = None,
    partitions: int | None = None,
    calendar: Calendar | None = None,
    on_error: str = "stop",
) -> dict[str, DataFrame]:
    """The conclusions of a program over DataFrames, one table per shown predicate.

    `frames` is one DataFrame with the columns `time`, `predicate` and the arguments, or with `time` and `atom`; or a
    mapping from predicates to DataFrames with `time` and a column per argument. The tables have the arguments, `from`
    and `to` (the evaluation times, both included), and `at` for atoms about another time point. `background` holds at
    all times: facts, or a mapping from predicates to DataFrames with a column per argument.

    >>> alarms = reason("alarm(M) :- always hot(M) [2].", {"hot": frame})["alarm"]
    """
    if isinstance(program, str):
        program = parse_program(program)
    if isinstance(background, Mapping):
        background = background_facts(background, program.program if isinstance(program, Analysis) else program)
    plan = plan_of(program, tuple(background), calendar)
    named = {"atoms": frames} if isinstance(frames, DataFrame) else frames
    intakes = [intake_of_frame(frame, predicate, plan.vocabulary) for predicate, frame in named.items()]
    intake = reduce(DataFrame.unionByName, intakes)
    return run_bounded(plan, intake, timeline=timeline, partitions=partitions, on_error=on_error).tables


def plan_of(program: Program | Analysis | str, background: tuple[Fact, ...], calendar: Calendar | None = None) -> Plan:
    """The plan of a program in any form."""
    if isinstance(program, str):
        program = parse_program(program)
    if isinstance(program, Program):
        program = analyse(program, background={fact.signature for fact in background}).require()
    return make_plan(program, background, calendar or Calendar(clock=clock_of(program.program)))
