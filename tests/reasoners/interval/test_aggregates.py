"""Aggregates beside the definition: functions that share elements, values of every kind, elements taken back."""

from __future__ import annotations

from decimal import Decimal
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.analysis.analysis import Analysis
from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.values import Value, normal
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.network import Aggregated, Listed
from larspark.reasoners.interval.operators import scaling
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.interpretations import Atoms
from larspark.semantics.streams import Stream
from support.beside_judge import assert_agrees
from support.judged import atoms
from support.tiers import partly

BACKGROUND = (Fact("stop", (1,)), Fact("stop", (2,)))

ELEMENTS = (
    "V : seen(V,S)",
    "V : seen(V,S) [3]",
    "V,T : @T seen(V,S) [4]",
    "V : seen(V,S) [2 #]",
    "V : seen(V,S) [all]",
    "V : seen(V,S) [5 hop 3]",
    "V : seen(V,S) [4], not gone(V) [2]",
    "V : seen(V,S) [2]; V,1 : gone(V) [3]",
)
RULES = (
    "r{0}(S,N) :- stop(S), N = #{1}{{ {2} }}.",
    "r{0}(S,N) :- N = #{1}{{ {2} }}, seen(_,S) [6].",
    "r{0}(S) :- stop(S), #{1}{{ {2} }} > 1.",
    "r{0}(S) :- stop(S), not #{1}{{ {2} }} = 1.",
    "r{0}(S) :- stop(S), not #{1}{{ {2} }} < 3.",
    "@T r{0}(S,N) :- @T gone(_) [2], stop(S), N = #{1}{{ {2} }}.",
    "r{0}(S,N,M) :- stop(S), N = #{1}{{ {2} }}, M = #{3}{{ {4} }}.",
    "r{0}(S,N,M) :- stop(S), N = #{1}{{ {2} }}, M = #{3}{{ {2} }}, #{5}{{ {4} }} < 3.",
    "r{0}(S,N,M) :- seen(_,S) [6], N = #{1}{{ {2} }}, M = #{3}{{ {2}, V < 2 }}, 0 <= #{5}{{ {2}, V != S }}.",
    "r{0}(S,N,M) :- stop(S), (N,M) = #top{{ 2; V : seen(V,S) [3] }}.",
    "r{0}(S,N,M) :- seen(_,S) [6], (N,_,M) = #bottom{{ 2; T,V : @T seen(V,S) [5], not gone(V) [2] }}.",
    "r{0}(X,N,M) :- gone(X) [4], N = #{1}{{ V : seen(V,_) [4], V < X }}, M = #{3}{{ V : seen(V,X) [3] }}.",
)
functions = st.sampled_from(["count", "sum", "min", "max", "avg"])

SMALL: tuple[Value, ...] = (-1, 0, 1, 2, 3)
OTHERS: tuple[Value, ...] = (Decimal("0.5"), Decimal("2.25"), "x", "y", 2**61 - 1, -(2**61) + 1, 2**70)

Timed = tuple[int, Fact]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Some rules over few kinds of elements, so that elements are shared."""
    elements = draw(st.lists(st.sampled_from(ELEMENTS), min_size=1, max_size=2))
    element = st.sampled_from(elements)
    choices = st.tuples(st.sampled_from(RULES), st.tuples(functions, element, functions, element, functions))
    rules = draw(st.lists(choices, min_size=1, max_size=4))
    return "\n".join(rule.format(number, *parts) for number, (rule, parts) in enumerate(rules))


def streams(values: tuple[Value, ...]) -> st.SearchStrategy[list[Timed]]:
    value = st.sampled_from(values)
    seen = st.builds(lambda vehicle, stop: Fact("seen", (vehicle, stop)), value, st.integers(1, 2))
    gone = st.builds(lambda vehicle: Fact("gone", (vehicle,)), value)
    arrivals = st.lists(st.tuples(st.integers(0, 8), seen | seen | gone), max_size=12)
    return arrivals.map(lambda found: sorted(found, key=lambda pair: pair[0]))


any_stream = st.one_of(streams(SMALL), streams(SMALL + OTHERS), streams(SMALL + OTHERS[:2]))
LAST = 13


def analysis_of(text: str) -> Analysis:
    return analyse(parse_program(text), background={fact.signature for fact in BACKGROUND}).require("interval")


def judged(analysis: Analysis, arrivals: list[Timed], time: int) -> list[Atoms]:
    stream = Stream.of(0, None, arrivals)
    return [found.atoms for found in answer_streams(analysis.program, stream, time, background=BACKGROUND)]


def answer(reasoner: IntervalReasoner) -> list[Atoms]:
    return [atoms(reasoner.time, stream) for stream in reasoner.answer().answer_streams]


@partly(400)
@given(programs(), any_stream)
def test_aggregates_at_every_time_point(text: str, arrivals: list[Timed]) -> None:
    analysis = analysis_of(text)
    reasoner = IntervalReasoner(analysis, BACKGROUND, 0)
    for time in range(LAST):
        reasoner.advance(time, [fact for when, fact in arrivals if when == time])
        assert answer(reasoner) == judged(analysis, arrivals, time), f"at {time}"


@partly(300)
@given(programs(), any_stream, st.sets(st.integers(0, LAST)), st.booleans())
def test_aggregates_in_chunks_and_through_snapshots(
    text: str, arrivals: list[Timed], cuts: set[int], saved: bool
) -> None:
    analysis = analysis_of(text)
    reasoner, begun = IntervalReasoner(analysis, BACKGROUND, 0), 0
    for cut in sorted({*cuts, LAST}):
        part = [(time, fact) for time, fact in arrivals if begun <= time <= cut]
        reasoner.advance_batch(cut, Arrivals.of(part, reasoner.dictionary))
        begun = cut + 1
        assert answer(reasoner) == judged(analysis, arrivals, cut), f"at {cut}"
        if saved:
            reasoner = IntervalReasoner.restore(reasoner.snapshot(), analysis)
            assert answer(reasoner) == judged(analysis, arrivals, cut), f"at {cut}"


@partly(300)
@given(programs(), any_stream, st.lists(st.integers(0, 4), min_size=12, max_size=12))
def test_aggregates_of_late_arrivals(text: str, arrivals: list[Timed], delays: list[int]) -> None:
    analysis = analysis_of(text)
    reasoner = IntervalReasoner(analysis, BACKGROUND, 0, lateness=5)
    coming = [(time + delay, time, fact) for (time, fact), delay in zip(arrivals, delays, strict=False)]
    known: list[Timed] = []
    for now in range(LAST):
        batch = [(time, fact) for when, time, fact in coming if when == now]
        known += batch
        reasoner.advance_batch(now, Arrivals.of(batch, reasoner.dictionary))
        expected = judged(analysis, sorted(known, key=lambda pair: pair[0]), now)
        assert answer(reasoner) == expected, f"at {now}"
    assert not reasoner.too_late


def test_elements_are_shared_by_functions_and_rules() -> None:
    text = "a(S,N) :- stop(S), N = #count{ V : seen(V,S) [3] }. b(S,N) :- stop(S), N = #max{ V : seen(V,S) [3] }."
    network = IntervalReasoner(analysis_of(text), BACKGROUND, 0).engine.network
    assert [relation.name for relation in network.relations if relation.name.startswith("elements")] == ["elements"]


def test_sums_beyond_what_codes_hold_are_exact() -> None:
    """And small again when the large numbers have left."""
    reasoner = IntervalReasoner(analysis_of("s(N) :- N = #sum{ V : seen(V,1) [1] }."), BACKGROUND, 0)
    large = 2**61 - 1
    expected = {0: large, 1: 2 * large - 1, 2: large - 1 + 5, 3: 5, 4: 0}
    arriving = {0: large, 1: large - 1, 2: 5}
    for time, total in expected.items():
        reasoner.advance(time, [Fact("seen", (arriving[time], 1))] if time in arriving else [])
        assert answer(reasoner) == [frozenset({(time, Fact("s", (total,)))})]


DEFINITIONS = [
    "d(Z) :- p(Z) [1 # of p/1, r/1].",
    "d(Z) :- p(Z) [2], not r(Z) [1].",
    "@U d(Z) :- @U b, p(Z) [1 # of p/1, r/1].",
    "d(Z) :- p(Z) [2 #].",
]
SHORT = ["V : {0}", "V : {0}, V {1} 2"]
LONG = ["2,V : {0}, V {1} 3", "1,V : {0}, V {1} 2", "V,W : {0}, d(W), V {1} W", "V,W,1 : {0}, r(W) [2], W {1} V"]


@settings(max_examples=60)
@given(st.randoms(use_true_random=False))
def test_elements_of_several_lengths_over_what_is_taken_back(random: Random) -> None:
    """Rows of short and long tuples are kept together; when some are taken back, they must not be mixed up."""
    forms = [random.choice(SHORT), random.choice(LONG), *random.choices(SHORT + LONG, k=random.randint(0, 1))]
    conditions = ["d(V)", "d(V) [1]", "@S d(V)", "d(V) [all, +all]"]
    elements = "; ".join(form.format(random.choice(conditions), random.choice(["<", "<=", ">"])) for form in forms)
    rules = f"{random.choice(DEFINITIONS)} c(N) :- N = #{random.choice(['count', 'sum', 'max'])}{{ {elements} }}."
    arriving = ["p(1)", "p(2)", "p(2)", "r(1)", "r(2)", "b", "b"]
    stream = sorted(f"{random.randint(0, 6)}:{random.choice(arriving)}" for _ in range(10))
    assert_agrees("interval", rules, " ".join(stream))


STORED = """
    on(A,N,P) :- b(N,A,P) [all].
    r(A,C,F,L,H,S) :- on(A,_,_), C = #count{ N : on(A,N,_) }, F = #count{ N : on(A,N,P), P < 5 },
        L = #min{ P : on(A,_,P) }, H = #max{ P : on(A,_,P) }, S = #sum{ P,N : on(A,N,P) }.
"""


def test_elements_that_are_stored_already_are_not_stored_again() -> None:
    network = IntervalReasoner(analyse(parse_program(STORED))).engine.network
    (node,) = (one for one in network.operators if isinstance(one, Aggregated))
    assert {feed.relation.name for feed in node.feeds} == {"on/3 by 1, 2", "on/3"}
    (output,) = node.values
    assert len({asked.part for asked in output if asked.function != "count"}) == 1, "one part has all prices"
    conditions = [rule for rule in network.rules if rule.head is node.source]
    assert len(conditions) == 1, "only what does not copy is stored"
    assert not any(rule.head.name == "on/3 by 1, 3" for rule in network.rules), "nobody reads it"


def test_elements_that_are_stored_already_are_the_same() -> None:
    arriving = "0:b(1,1,3) 0:b(1,1,7) 1:b(2,1,7) 2:b(2,2,4) 2:b(3,2,9) 3:b(1,1,3) 4:b(4,1,0.5) 5:b(4,1,x) 6:b(5,2,1)"
    assert_agrees("interval", STORED, arriving)
    taken_back = STORED.replace("b(N,A,P) [all]", "b(N,A,P) [3], not c(A) [1]")
    assert_agrees("interval", taken_back, f"{arriving} 6:c(2) 7:c(1) 7:b(1,1,2) 9:b(1,2,2)")


def test_a_list_may_be_fed_by_conclusions() -> None:
    text = "on(A,P) :- b(_,A,P) [3], not c(A) [1]. r(R,P,A) :- (R,P,A) = #top{ 2; Q,B : on(B,Q) }."
    network = IntervalReasoner(analyse(parse_program(text))).engine.network
    (node,) = (one for one in network.operators if isinstance(one, Listed))
    assert [relation.name for relation in node.sources] == ["on/2"]
    assert_agrees("interval", text, "0:b(1,1,3) 0:b(1,2,7) 1:b(2,1,7) 2:b(2,3,4) 3:c(2) 3:b(1,1,9) 5:b(4,1,0.5)")


def test_codes_of_sums_are_those_of_the_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the memo of them is too large, and begun anew."""
    monkeypatch.setattr(scaling, "LARGEST_MEMO", 1 << 12)
    tables = IntervalReasoner(analyse(parse_program(STORED))).engine.tables
    scale = scaling.Scale(tables, 2)
    random = Random(1)
    for _ in range(40):
        units = [random.randrange(-4_000, 4_000) for _ in range(300)]
        rows = np.array([[unit << 1, 0, 9] for unit in units], np.int64)
        scale.put_codes(rows, 0)
        values = [tables.dictionary.decode(code) for code in rows[:, 0].tolist()]
        assert values == [normal(Decimal(unit) / 100) for unit in units]
        again = scale.scaled(rows, 0, -1, np.ones(1, np.int64))
        assert again is not None
        assert again[:, 0].tolist() == [unit << 1 for unit in units]
