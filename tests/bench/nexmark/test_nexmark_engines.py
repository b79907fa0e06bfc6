"""An engine fed with tables, and other reasoners on tiny data, say what `evaluate` says."""

from __future__ import annotations

import pyarrow.compute as pc
import pytest

import larspark
from larspark.bench.nexmark.answers import at, in_order, intervals, side_facts
from larspark.bench.nexmark.catalogue import QUERIES, NexmarkQuery
from larspark.bench.nexmark.generator import GeneratedEvents, tables
from larspark.reasoners.registry import REASONERS
from support.nexmark import FEW, SOME, fit_for_all

STREAM = GeneratedEvents(600, rate=20)


def _engine(query: NexmarkQuery, reasoner: str = "interval", begin: int = STREAM.begin) -> larspark.Engine:
    return larspark.Engine(query.program, reasoner, start=begin, background=side_facts(query), allow_functions=True)


def _holding(engine: larspark.Engine) -> list[tuple[object, ...]]:
    (stream,) = engine.answer().answer_streams
    return in_order(fact.args for fact in stream.now)


@pytest.mark.parametrize("name", ["q3", "q4", "q5", "q7", "q8", "q9", "q11", "q12", "q18", "q20", "q23"])
def test_an_engine_fed_with_tables_holds_the_same(name: str) -> None:
    query, made = QUERIES[name], tables(STREAM)
    found, engine = intervals(query, made, STREAM), _engine(query)
    for end in range(STREAM.begin, STREAM.end + 1, query.step):
        inside = {
            kind: made[kind].select(columns).filter(_between(made[kind]["time"], end - query.step, end))
            for kind, columns in query.inputs.items()
        }
        if any(len(table) for table in inside.values()):
            engine.advance(inside)
        engine.advance(end)
        assert _holding(engine) == at(found, end)


def _between(times: object, after: int, end: int) -> object:
    points = pc.cast(times, "int64")
    return pc.and_(pc.greater(points, after), pc.less_equal(points, end))


@pytest.mark.parametrize("reasoner", REASONERS)
@pytest.mark.parametrize("name", QUERIES)
def test_all_reasoners_hold_the_same(name: str, reasoner: str) -> None:
    """At every arrival, and wherever a window ends."""
    query, stream = QUERIES[name], SOME if reasoner in ("interval", "jtms") else FEW
    made = fit_for_all(stream)
    found, engine = intervals(query, made, stream), _engine(query, reasoner, stream.begin)
    arriving: dict[int, list[larspark.Fact]] = {}
    for kind, columns in query.inputs.items():
        times = made[kind]["time"].cast("int64").to_pylist()
        for time, row in zip(times, made[kind].select(columns[:-1]).to_pylist(), strict=True):
            arriving.setdefault(time, []).append(larspark.Fact(kind, tuple(row.values())))
    held = 0
    for time in sorted({*arriving, *query.ends(stream.begin, stream.end)}):
        engine.advance(time, arriving.get(time, ()))
        expected = at(found, time)
        assert _holding(engine) == expected
        held += len(expected)
    assert held
