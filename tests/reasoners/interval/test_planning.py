"""The order of joins: what statistics choose, when a running engine plans anew, and that answers stay the same."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from larspark.intervals.tables.storage import new_table
from larspark.intervals.tables.table import absorb, remove
from larspark.language.facts import Fact
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.display.describe import describe
from larspark.reasoners.interval.engine.engine import FIRST_REVIEW, IntervalEngine
from larspark.reasoners.interval.network import Match
from larspark.reasoners.interval.planning.statistics import Size, drifted, size_of
from support.analysed import analysed
from support.judged import atoms, steps
from support.random_programs import Scenario
from support.strategies import CONSTRAINED, scenarios
from support.tiers import partly

THREE = """
#input start/1, large/2, small/2.
found(X,Z) :- start(X), large(X,Y) [50], small(X,Z) [50], Y != Z.
"""


def joins(statistics: dict[str, Size] | None) -> list[str]:
    """What is joined in which order when something starts."""
    description = describe(analysed(THREE), statistics=statistics)
    (rule,) = [rule for part in description.parts for rule in part.rules if "found" in rule.concludes]
    (start,) = [start for start in rule.starts if "start/1" in start.when]
    return [step.text.split()[2] for step in start.steps if step.kind == "join"]


def test_without_statistics_the_order_is_that_of_the_rule() -> None:
    assert joins(None) == ["large/2", "small/2"]


def test_the_join_with_fewer_partners_comes_first() -> None:
    large, small = Size(10_000, (10, 1000)), Size(1000, (500, 1000))
    assert joins({"some large/2 [50]": large, "some small/2 [50]": small}) == ["small/2", "large/2"]
    assert joins({"some large/2 [50]": small, "some small/2 [50]": large}) == ["large/2", "small/2"]
    # Many rows are few partners when nearly every row has a value of its own.
    unique = Size(10_000, (10_000, 10))
    assert joins({"some large/2 [50]": unique, "some small/2 [50]": small}) == ["large/2", "small/2"]


def chained(joins: int) -> str:
    body = ", ".join(f"r{number}(X{number},X{number + 1})" for number in range(joins))
    return f"q(X0,X{joins}) :- {body}."


def test_a_chain_of_joins_is_never_a_product() -> None:
    """Whether all orders are weighed (few joins) or the next best is taken (many)."""
    for count in (4, 9):
        sizes = {f"now r{number}/2": Size(1000, (1000, 1000)) for number in range(count)}
        for part in describe(analysed(chained(count)), statistics=sizes).parts:
            for rule in part.rules:
                for start in rule.starts:
                    assert all(step.bound for step in start.steps if step.kind == "join"), start


def test_an_order_is_found_where_a_literal_stands_twice() -> None:
    text = "q(X) :- a(X,Y), a(X,Y), b(Y,X), a(X,Y)."
    description = describe(analysed(text), statistics={"now a/2": Size(50, (5, 5))})
    starts = [start for part in description.parts for rule in part.rules for start in rule.starts]
    assert [sum(step.kind == "join" for step in start.steps) for start in starts if "now" in start.when] == [3] * 4


def test_sizes_are_estimated_from_what_is_alive() -> None:
    table = new_table(2, [])
    count = 5000
    rows = np.array([(number, number % 7, 0, 100) for number in range(count)], np.int64)
    absorb(table, rows, 0)
    absorb(table, rows[:10] + np.array([0, 0, 200, 200]), 0)  # a second interval is no further row
    size = size_of(table, 0)
    assert 0.9 * count < size.rows <= 1.01 * count
    assert 0.4 * count < size.distinct[0] <= size.rows
    assert size.distinct[1] == 7
    assert size_of(table, 150).rows < 100
    remove(table, rows)
    assert size_of(table, 0).rows < 100
    assert size_of(new_table(3, []), 0) == Size(0, (0, 0, 0))


def test_only_large_differences_matter() -> None:
    planned = {"p": Size(1000, (100,))}
    assert not drifted(planned, {"p": Size(200, (900,))})
    assert drifted(planned, {"p": Size(99, (90,))})
    assert drifted(planned, {"p": Size(1000, (1001,))})
    assert not drifted({"p": Size(0, (0,))}, {"p": Size(150, (150,))})
    assert drifted(planned, {"q": Size(1, (1,))})


def order_of(engine: IntervalEngine, trigger: str) -> list[str]:
    """What the running engine joins when the trigger changes."""
    plans = [
        plan
        for part in engine.components
        for relation, plans in part.triggered.items()
        if relation.name == trigger
        for plan in plans
        if plan.chosen
    ]
    (plan,) = plans
    return [step.literal.relation.name for step in plan.steps if isinstance(step.literal, Match)]


def test_a_running_engine_plans_anew_when_sizes_differ() -> None:
    reasoner = IntervalReasoner(analysed(THREE))
    assert order_of(reasoner.engine, "now start/1") == ["some large/2 [50]", "some small/2 [50]"]
    many = [Fact("large", (number % 3, number)) for number in range(FIRST_REVIEW)]
    reasoner.advance(0, [*many, Fact("small", (1, 7)), Fact("small", (2, 7))])
    reasoner.advance(1, [Fact("start", (1,))])
    assert order_of(reasoner.engine, "now start/1") == ["some small/2 [50]", "some large/2 [50]"]
    (answer,) = reasoner.answer().answer_streams
    assert answer.now == {Fact("found", (1, 7))}


def test_statistics_of_another_run_are_used_from_the_start() -> None:
    first = IntervalReasoner(analysed(THREE))
    first.advance(0, [Fact("large", (1, number)) for number in range(100)])
    second = IntervalReasoner(analysed(THREE), statistics=first.engine.sizes())
    assert order_of(second.engine, "now start/1") == ["some small/2 [50]", "some large/2 [50]"]


@partly(400)
@given(scenarios(CONSTRAINED), st.data())
def test_planning_anew_anywhere_changes_no_answer(scenario: Scenario, data: st.DataObject) -> None:
    numbers = st.integers(0, 10_000).map(float)
    for time, reasoner, expected in steps(scenario, IntervalReasoner):
        assert isinstance(reasoner, IntervalReasoner)
        streams = reasoner.answer().answer_streams
        assert [atoms(time, stream) for stream in streams] == expected, f"at {time}\n{scenario}"
        if data.draw(st.booleans()):
            statistics = {
                relation.name: Size(data.draw(numbers), tuple(data.draw(numbers) for _ in range(relation.width)))
                for relation in reasoner.engine.network.relations
            }
            reasoner.engine.replan(statistics)


def test_aggregates_of_other_widths_are_told_apart() -> None:
    """Sizes are kept by name, and two aggregates may have groups of other lengths."""
    reasoner = IntervalReasoner(
        analysed("n(N) :- N = #count{ X : e(X) [9] }, a. m(X,N) :- b(X), N = #count{ Y : f(X,Y) [9] }.")
    )
    reasoner.engine.replan(reasoner.engine.sizes())
    assert len({relation.name for relation in reasoner.engine.network.relations}) == len(
        reasoner.engine.network.relations
    )


def test_matches_of_whole_keys_are_no_reason_to_plan_anew() -> None:
    """Their order costs the same: an engine that has nothing else never looks at the sizes of relations."""
    reasoner = IntervalReasoner(analysed("q(X) :- p(X) [5], not r(X) [5]. s(X) :- q(X), p(X) [3]."))
    many = [Fact("p", (number,)) for number in range(2 * FIRST_REVIEW)]
    reasoner.advance(0, many)
    reasoner.advance(1, [Fact("r", (1,))])
    assert reasoner.engine.statistics is None
