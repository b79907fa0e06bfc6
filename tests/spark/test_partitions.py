"""The same rows with any number of partitions, on random programs; without Spark, so that many can be tried."""

from __future__ import annotations

from random import Random
from unittest.mock import patch

from hypothesis import given, reject
from hypothesis import strategies as st

from larspark.analysis.partitioning.stages import stages
from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_program
from larspark.reasoners.interval.answers import validity
from larspark.spark.evaluate import columnar
from larspark.spark.plan.plan import make_plan
from support.bounded_runs import rows_in_partitions
from support.interval_rows import rows_of
from support.keyed_programs import BACKGROUND, random_arrivals, random_rules
from support.limits import small_limits
from support.random_programs import Scenario
from support.strategies import CONSTRAINED, scenarios
from support.tiers import partly

BUCKETS = st.sampled_from([1, 2, 7])
CUTS = st.lists(st.integers(1, 15), max_size=3, unique=True).map(sorted)
CHUNKS = st.sampled_from([2, 5, columnar.CHUNK])


@partly(40)
@given(scenarios(CONSTRAINED), BUCKETS, CHUNKS)
def test_any_stratified_program(scenario: Scenario, buckets: int, chunk: int) -> None:
    analysis = analyse(scenario.program, background={fact.signature for fact in scenario.background})
    try:
        plan = make_plan(analysis, scenario.background)
        start, end = scenario.times[0], scenario.times[-1]
        arrivals = [(arrival.time, arrival.fact) for arrival in scenario.stream.input]
        expected = rows_of(analysis, arrivals, start, end, scenario.background)
    except Rejected:
        reject()
    with patch.object(columnar, "CHUNK", chunk), patch.object(validity, "FEW", chunk):
        assert rows_in_partitions(plan, arrivals, start, end, buckets) == expected


@partly(80)
@given(st.integers(0, 2**48), BUCKETS, CHUNKS, CUTS)
def test_programs_that_are_split(seed: int, buckets: int, chunk: int, cuts: list[int]) -> None:
    random = Random(seed)
    text = "\n".join(random_rules(random))
    background = tuple(Fact("bg", (value,)) for value in random.sample(BACKGROUND, 3))
    analysis = analyse(parse_program(text), background={fact.signature for fact in background}).require()
    arrivals = random_arrivals(random)
    expected = rows_of(analysis, arrivals, 0, 15, background)
    plan = make_plan(analysis, background)
    with patch.object(columnar, "CHUNK", chunk), patch.object(validity, "FEW", chunk):
        assert rows_in_partitions(plan, arrivals, 0, 15, buckets, cuts) == expected, text


def test_random_programs_are_split() -> None:
    """Most of the random programs have keyed stages, and many have several levels."""
    plans = [
        stages(analyse(parse_program("\n".join(random_rules(Random(seed)))), background={Fact("bg", (1,)).signature}))
        for seed in range(50)
    ]
    assert sum(any(stage.keyed for stage in plan) for plan in plans) > 40
    assert sum(any(stage.keyed and stage.level for stage in plan) for plan in plans) > 15


def test_a_predicate_that_only_a_filter_names_is_counted() -> None:
    analysis = analyse(parse_program("p(X) :- f(X) [1 # of a/0, f/1]."))
    arrivals = [(2, Fact("f", ("x",))), (4, Fact("strange", ())), (6, Fact("a", ()))]
    assert rows_in_partitions(make_plan(analysis), arrivals, 0, 9, 2) == {("p", ("x",), 2, 5, None)}


def test_chains_that_lose_the_evaluation_time() -> None:
    """Without counting, the order of arrivals is that of their times, whatever order their predicates come in."""
    analysis = analyse(parse_program("s(1) :- f(Y,_) [2 tumbling] [0], e(X) [of e(1)].")).require()
    arrivals = [(0, Fact("e", (1,))), (0, Fact("e", (1,))), (1, Fact("f", (1, 1)))]
    for buckets in (1, 2):
        found = rows_in_partitions(make_plan(analysis), arrivals, 0, 5, buckets)
        assert found == rows_of(analysis, arrivals, 0, 5) == {("s", (1,), 3, 3, None)}


def test_what_is_not_shown_is_not_handed_out() -> None:
    analysis = analyse(parse_program("#input p/0. #show t/1. p. t(1) :- p.")).require()
    assert rows_in_partitions(make_plan(analysis), [], 0, 4, 2) == {("t", (1,), 0, 4, None)}


def test_windows_that_no_partition_can_follow_are_refused_before_the_run() -> None:
    analysis = analyse(parse_program("q. s(X) :- q [1, +1 hop 2] [0], e(X)."))
    assert [one.code for one in analysis.accepts["spark"]] == ["E507"]
    chosen = analyse(parse_program("q :- not r. r :- not q, not q [1, +1 hop 2] [0]."))
    assert not chosen.accepts["spark"]
    cyclic = analyse(parse_program("r(now) :- not r(X) [from T to 1] [0], @T r(X)."))
    assert [one.code for one in cyclic.accepts["spark"]] == ["E519"]


def test_given_facts_in_a_window_that_counts_the_stream() -> None:
    analysis = analyse(parse_program("@T r(1) :- @T bg(X) [1 #]. r(X) :- e(X)."), background={Signature("bg", 1)})
    plan = make_plan(analysis, [Fact("bg", (1,))])
    arrivals = [(1, Fact("a")), (3, Fact("e", (2,)))]
    assert rows_in_partitions(plan, arrivals, 0, 5, 7) == rows_in_partitions(plan, arrivals, 0, 5, 1)


def test_sums_over_what_becomes_a_word() -> None:
    """The sum is computed anew then, from elements of which some are over."""
    plan = make_plan(analyse(parse_program("s(N) :- N = #sum{ V : e(V) [3] }.")), [])
    arrivals = [(0, Fact("e", (1,))), (0, Fact("e", (2,))), (4, Fact("e", (1,))), (5, Fact("e", ("x",)))]
    with small_limits():
        assert rows_in_partitions(plan, arrivals, 0, 5, 1, [3]) == {("s", (3,), 0, 3, None), ("s", (1,), 4, 4, None)}
