"""`larspark.evaluate`: tables, columns and facts in, intervals as tables out, the same whatever the data comes in."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, reject, settings

import larspark
from larspark.diagnostics import Rejected
from larspark.runtime.pointwise import Wanted, evaluate
from larspark.runtime.prepared import prepare
from larspark.runtime.recording import Recording
from larspark.runtime.stretches import intervals_of
from larspark.write.intervals import interval_table
from support.judged import analysed
from support.random_programs import Scenario
from support.strategies import CONSTRAINED, scenarios

PROGRAM = "#input hot(machine, level). alarm(M) :- hot(M,L) [2], L > 80. @(T+5) check(M) :- @T hot(M,L) [1], L > 90."
COLUMNS = {"time": [3, 0, 4], "machine": ["mill", "press", "press"], "level": [75, 81, 95]}
ROWS = [
    {"from": 0, "to": 2, "atom": "alarm(press)", "at": None},
    {"from": 4, "to": 4, "atom": "alarm(press)", "at": None},
    {"from": 4, "to": 4, "atom": "check(press)", "at": 9},
]


@pytest.mark.parametrize(
    "data",
    [
        {"hot": COLUMNS},
        {"hot": pa.table(COLUMNS)},
        {"hot": pd.DataFrame(COLUMNS)},
        {"hot": pl.DataFrame(COLUMNS)},
        {"time": COLUMNS["time"], "atom": ["hot(mill,75)", "hot(press,81)", "hot(press,95)"]},
        pl.DataFrame({"time": [3, 0, 4], "predicate": "hot", "m": COLUMNS["machine"], "l": COLUMNS["level"]}),
        [(0, "hot(press,81)"), (3, ("hot", "mill", 75)), (4, "hot(press,95)")],
    ],
    ids=["columns", "arrow", "pandas", "polars", "atoms", "predicates", "facts"],
)
@pytest.mark.parametrize("reasoner", ["interval", "clingo"])
def test_any_form_of_data(data: object, reasoner: str) -> None:
    found = larspark.evaluate(PROGRAM, data, reasoner)
    assert found.to_pylist() == ROWS
    assert found.to_pandas()["from"].tolist() == [0, 4, 4]
    assert found.to_polars()["to"].to_list() == [2, 4, 4]
    assert found["check"].to_pylist() == [{"machine": "press", "from": 4, "to": 4, "at": 9}]
    assert list(found) == ["alarm", "check"]


def test_results_can_be_looked_at() -> None:
    found = larspark.evaluate("b(X) :- a(X).", [(time, ("a", f"<{time}>")) for time in range(30)])
    assert repr(found).splitlines()[:2] == ["from  to  atom       at", '0     0   b("<0>")']
    assert "(20 of 30 rows)" in repr(found)
    assert "b(&quot;&lt;0&gt;&quot;)" in found._repr_html_()


def test_types_follow_the_values() -> None:
    data = [(0, ("a", 1, 1, "x")), (1, ("a", 2, "1.5", 3))]
    table = larspark.evaluate("b(X,Y,Z) :- a(X,Y,Z).", data)["b"].to_arrow()
    assert [str(table.schema.field(place).type) for place in range(3)] == ["int64", "string", "string"]


def test_bad_records_are_told_with_their_rows() -> None:
    with pytest.raises(Rejected) as rejected:
        larspark.evaluate("b(X) :- a(X).", {"a": {"time": [0, None, 2], "x": [1.5, 2.0, float("nan")]}})
    assert [one.origin and one.origin.line for one in rejected.value.diagnostics] == [2, 3]
    with pytest.raises(Rejected, match="E409"):
        larspark.evaluate("b(X) :- a(X).", [(0, "b(1)")])


@settings(max_examples=60)
@given(scenarios(CONSTRAINED))
def test_intervals_are_those_of_the_definition(scenario: Scenario) -> None:
    analysis = analysed(scenario)
    arrivals = [(arrival.time, arrival.fact) for arrival in scenario.stream.input]
    timeline = scenario.stream.start, scenario.times[-1]
    prepared = prepare(analysis, background=scenario.background)
    try:
        found = larspark.evaluate(prepared, arrivals, timeline=timeline)
    except Rejected:
        reject()
    judge = prepared.reasoner("reference", scenario.stream.start)
    answers = evaluate(judge, Recording.of_facts(arrivals, timeline), Wanted(analysis.shown))
    told = [row for block in intervals_of(answers) for row in interval_table(block).to_pylist()]
    assert sorted(map(str, found.to_pylist())) == sorted(map(str, told))
