"""`#top` and `#bottom`: the first tuples in order, in every reasoner, and as plain sorting finds them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.language.facts import Fact
from larspark.language.values import Value, order_key
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.network import Listed
from larspark.reasoners.interval.state.arrivals import Arrivals
from support.analysed import analysed
from support.beside_judge import assert_agrees

BIDS = "0:b(1,5) 0:b(2,5) 1:b(1,7) 1:b(3,2) 2:a(1) 3:b(1,5) 3:b(2,9) 4:b(3,x) 5:a(2) 6:b(1,1)"

PROGRAMS = [
    "best(R,P,I) :- (R,P,I) = #top{ 2; Q,J : b(J,Q) [all] }.",
    "best(R,P,I) :- (R,P,I) = #top{ 3; Q,J : b(J,Q) [3] }.",
    "best(P) :- (1,P) = #bottom{ 2; Q : b(_,Q) [4] }, P < 6.",
    "best(I,R,P) :- a(I) [5], (R,P,_) = #top{ 2; Q,T : @T b(I,Q) [4] }.",
    "best(R,T) :- (R,T) = #top{ 2; -S : @S b(_,_) [5] }.",
    "best(R,P) :- (R,P) = #bottom{ 2; Q : b(I,Q) [2], not a(I) [3] }.",
    "last(I,P) :- b(I,_), (1,_,P) = #top{ 1; T,Q : @T b(I,Q) [2 #] }.",
    "two(R,P,N) :- (R,P) = #top{ 2; Q : b(_,Q) [3] }, (R,N) = #bottom{ 2; Q : b(_,Q) [3] }.",
    "over(I,R,P) :- a(I) [9], (R,P) = #top{ 2; Q : b(_,Q) [5], Q > I }.",
    "all(R,P) :- (R,P) = #top{ 99999999999999999999; Q : b(_,Q) [2] }.",
]


@pytest.mark.parametrize("text", PROGRAMS)
@pytest.mark.parametrize("reasoner", ["interval", "clingo"])
def test_every_reasoner_says_what_the_definition_says(text: str, reasoner: str) -> None:
    assert_agrees(reasoner, text, BIDS)


@pytest.mark.parametrize("text", PROGRAMS)
def test_the_interval_reasoner_keeps_tuples_in_order(text: str) -> None:
    """It does not count."""
    network = IntervalReasoner(analysed(text)).engine.network
    assert any(isinstance(node, Listed) for node in network.operators)
    assert not any(relation.name == "#count" for relation in network.relations)


values = st.sampled_from([-1, 0, 1, 2, 3, Decimal("0.5"), Decimal("2.25"), "x", "y", 2**70])
arrivals = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 3), values), max_size=15)


@settings(max_examples=200)
@given(
    arrivals,
    st.sampled_from([1, 2, 3, 10**20]),
    st.booleans(),
    st.sets(st.integers(0, 12)),
    st.sampled_from([2, 5, None]),
)
def test_ranks_are_places_in_a_sorted_list(
    arriving: list[tuple[int, int, Value]], limit: int, top: bool, cuts: set[int], past: int | None
) -> None:
    window = "all" if past is None else past
    function = "top" if top else "bottom"
    text = f"best(G,R,P,T) :- g(G) [all], (R,P,T) = #{function}{{ {limit}; Q,S : @S b(G,Q) [{window}] }}."
    reasoner = IntervalReasoner(analysed(text))
    stream = sorted(arriving, key=lambda one: one[0])
    facts = [(0, Fact("g", (group,))) for group in (1, 2, 3)]
    facts += [(time, Fact("b", (group, value))) for time, group, value in stream]
    begun = 0
    for cut in sorted({*cuts, 13}):
        part = [(time, fact) for time, fact in facts if begun <= time <= cut]
        reasoner.advance_batch(cut, Arrivals.of(part, reasoner.dictionary))
        begun = cut + 1
        expected = set()
        for group in (1, 2, 3):
            seen = {
                (value, time)
                for time, of, value in stream
                if of == group and time <= cut and (past is None or time >= cut - past)
            }
            ordered = sorted(seen, key=lambda pair: [*map(order_key, pair)], reverse=top)
            expected |= {Fact("best", (group, place, *pair)) for place, pair in enumerate(ordered[:limit], 1)}
        (stream_now,) = reasoner.answer().answer_streams
        assert stream_now.now == expected
