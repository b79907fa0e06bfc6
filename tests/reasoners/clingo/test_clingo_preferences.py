"""Preferred answer streams, exactly those of the definition, and the choice among them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from larspark.diagnostics import Rejected
from larspark.language.parser import parse_fact
from larspark.reasoners.clingo import ClingoReasoner
from larspark.reasoners.protocol import AnswerStream
from support.analysed import analysed
from support.judged import atoms, steps
from support.random_programs import Scenario
from support.strategies import PREFERRING, scenarios

SHAPES = {
    "choices": (PREFERRING, 250),
    "disjunction": (replace(PREFERRING, disjunction=True), 120),
    "no pinned heads": (replace(PREFERRING, pinned_heads=False), 120),
}

CHOICE = "use(X) :- open(X) [9], not other(X). other(X) :- open(X) [9], use(Y), X != Y. #show use/1."


@pytest.mark.thorough
@pytest.mark.parametrize("name", SHAPES)
def test_the_preferred_answer_streams_and_the_choice_that_stays(name: str):
    shape, examples = SHAPES[name]

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(scenarios(shape))
    def check(scenario: Scenario) -> None:
        before: AnswerStream | None = None
        for time, reasoner, expected in steps(scenario, ClingoReasoner):
            found = reasoner.answer(None).answer_streams
            assert Counter(atoms(time, stream) for stream in found) == Counter(expected)
            if before in found:
                assert found[0] == before
            before = found[0] if found else None

    check()


def chosen(reasoner: ClingoReasoner, time: int, *facts: str) -> str:
    reasoner.advance(time, [parse_fact(fact) for fact in facts])
    (stream,) = reasoner.answer().answer_streams
    return " ".join(sorted(str(fact) for fact in stream.now if fact.predicate == "use"))


def test_a_preference_breaks_the_previous_choice_and_else_it_stays():
    reasoner = ClingoReasoner(analysed(CHOICE + "#prefer 1, X : use(X), fast(X) [2]."))
    assert chosen(reasoner, 0, "open(a)", "open(b)", "open(c)", "fast(b)") == "use(b)"
    assert chosen(reasoner, 3) == "use(b)"  # nothing is fast any more: all are as good
    assert chosen(reasoner, 4, "fast(c)") == "use(c)"
    assert chosen(reasoner, 5, "fast(a)") == "use(c)"  # a is as good
    assert chosen(reasoner, 7) == "use(a)"  # only a is fast
    assert chosen(reasoner, 8) == "use(a)"


def test_a_switch_can_cost_more_than_it_gains():
    """The previous choice is read from what is recorded; leaving it costs 2."""
    text = (
        CHOICE
        + """
    was(X) :- use(X). #record was/1.
    #prefer N, X : use(X), gain(X, N) [1].
    #prefer 2, stay : use(X), @(now - 1) was(X).
    """
    )
    reasoner = ClingoReasoner(analysed(text))
    assert chosen(reasoner, 0, "open(a)", "open(b)", "gain(a,1)") == "use(a)"
    assert chosen(reasoner, 1, "gain(b,1)") == "use(a)"
    assert chosen(reasoner, 2, "gain(b,4)") == "use(b)"


def test_only_preferred_answer_streams_are_listed():
    reasoner = ClingoReasoner(analysed(CHOICE + "#prefer -1 : use(b)."))
    reasoner.advance(0, [parse_fact(fact) for fact in ("open(a)", "open(b)", "open(c)")])
    assert len(reasoner.answer(None).answer_streams) == 2
    assert len(reasoner.answer(1).answer_streams) == 1


def test_no_answer_stream_is_preferred_where_there_is_none():
    reasoner = ClingoReasoner(analysed("p :- not q. q :- not p. :- a. #prefer 1 : p."))
    assert not reasoner.advance(0, [parse_fact("a")]).consistent
    assert reasoner.advance(1).appeared == {parse_fact("p")}


def test_gains_beyond_32_bits_are_refused():
    reasoner = ClingoReasoner(analysed(CHOICE + "#prefer 3000000000 : use(a)."))
    with pytest.raises(Rejected, match="32-bit"):
        reasoner.advance(0, [parse_fact("open(a)")])
