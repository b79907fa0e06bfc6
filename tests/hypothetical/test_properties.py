"""The propositions of the theory on random programs, and the online algorithm against the declarative judge."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hypothetical.antichains import minimal_sets
from hypothetical.declarative import GroundAnswer, Judge, Moment, Universe, stamped
from larspark.diagnostics import Rejected
from larspark.hypothetical.answers.answers import Signed
from larspark.hypothetical.offline.measures import measure
from larspark.hypothetical.offline.resolution import Resolution
from larspark.hypothetical.online.query import WatchOptions
from larspark.hypothetical.online_algorithm import Online
from larspark.hypothetical.theory.matching import match_literal
from larspark.hypothetical.theory.stratification import Strata, stratify
from larspark.hypothetical.theory.structure import is_connected, is_nonrecursive
from larspark.hypothetical.theory.temporal_datalog import temporal_theory
from larspark.hypothetical.theory.terms import Key, Literal, Substitution
from larspark.hypothetical.theory.theory import Theory
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from support.temporal import goal, history, theory
from support.temporal_programs import CONSTANTS, Frame, Rules, Shape, Stream, goal_r, instances, programs, streams, text
from support.tiers import partly

LAST = 4
UNIVERSE = Universe(CONSTANTS, 0, LAST + 8)
GOAL = goal_r()
FRAME = Frame(UNIVERSE, LAST)


def read(rules: Rules) -> Theory:
    found = temporal_theory(parse_program(text(rules)))
    assume(isinstance(stratify(found), Strata))
    return found


def arrived(facts: Stream, tau: int) -> list[Literal]:
    return [stamped(fact, time) for time in range(tau + 1) for fact in facts[time]]


def moments(rules: Rules, facts: Stream) -> list[Moment]:
    judge = Judge(read(rules), UNIVERSE)
    return [judge.at(tau, arrived(facts, tau)) for tau in range(-1, LAST + 1)]


@partly(40)
@given(programs(Shape(negation=True)), streams(LAST), st.data())
def test_late_facts_in_any_order_end_in_the_same_answers(rules: Rules, facts: Stream, data: st.DataObject) -> None:
    found = read(rules)
    punctual, late = Online(found, GOAL), Online(found, GOAL, WatchOptions(delay=2))
    arrivals: dict[int, list[tuple[int, Fact]]] = {t: [] for t in range(LAST + 3)}
    for time, here in facts.items():
        for fact in here:
            arrivals[time + data.draw(st.integers(0, 1))].append((time, fact))
    for time in range(LAST + 3):
        punctual.advance(time, facts.get(time, ()))
        late.advance_late(time, arrivals[time])
    definite = {a.answer for a in punctual.answers() if a.definite}
    assert {a.answer for a in late.answers() if a.definite} <= definite
    closed = {a for a in definite if a.time is not None and a.time.offset <= LAST - 4}
    assert closed <= {a.answer for a in late.answers() if a.definite}


@settings(max_examples=25)
@given(programs(), streams(LAST))
def test_proposition_1_no_hypotheses_means_answer(rules: Rules, facts: Stream) -> None:
    """Prop. 1, and its converse: against the least model, computed on its own."""
    for tau, moment in enumerate(moments(rules, facts), start=-1):
        model = least_model(moment.judge, arrived(facts, tau))
        assert moment.answers(GOAL) == {atom for atom in model if atom.key == GOAL.key}


def least_model(judge: Judge, history: list[Literal]) -> set[Literal]:
    """Naive iteration of the ground clauses of a positive program."""
    model = set(history)
    while True:
        new = {head for head, body, _ in judge.ground if all(b in model for b in body)} - model
        if not new:
            return model
        model |= new


@settings(max_examples=25)
@given(programs(), streams(LAST))
def test_proposition_2_hypotheses_fed_make_the_answer(rules: Rules, facts: Stream) -> None:
    """Prop. 2: with the hypotheses arrived, and nothing less, θ is an answer."""
    moment = moments(rules, facts)[2]
    for found in list(moment.hypothetical_answers(GOAL))[:20]:
        future = [signed.literal for signed in found.hypotheses]
        assert all(literal.time is not None and literal.time.offset > moment.time for literal in future)
        fed = moment.judge.at(UNIVERSE.last, [*moment.history, *future])
        assert found.answer in fed.answers(GOAL)
        for left_out in future:
            fewer = moment.judge.at(UNIVERSE.last, [*moment.history, *(f for f in future if f != left_out)])
            assert found.answer not in fewer.answers(GOAL)


@settings(max_examples=25)
@given(programs(), streams(LAST))
def test_proposition_3_what_arrived_of_the_first_hypotheses_is_evidence(rules: Rules, facts: Stream) -> None:
    """Every H is what is left of some H⁰ over the empty history, and the rest of each such H⁰ is evidence for it."""
    first, *along = moments(rules, facts)
    before: dict[Literal, list[frozenset[Signed]]] = {}
    for found in first.hypothetical_answers(GOAL):
        before.setdefault(found.answer, []).append(found.hypotheses)
    for moment in along:
        arrived_now = {Signed(literal) for literal in moment.history}
        supported = moment.supported_answers(GOAL)
        for found in moment.hypothetical_answers(GOAL):
            sources = [h for h in before.get(found.answer, []) if h - arrived_now == found.hypotheses]
            assert sources
            for source in sources:
                evidence = source - found.hypotheses
                assert not evidence or GroundAnswer(found.answer, found.hypotheses, evidence) in supported


@settings(max_examples=25)
@given(programs(), streams(LAST))
def test_proposition_4_hypothetical_answers_come_from_earlier_ones(rules: Rules, facts: Stream) -> None:
    """Prop. 4, between any two time points."""
    along = moments(rules, facts)
    for later in range(1, len(along)):
        for earlier in range(later):
            gone = {Signed(literal) for literal in along[later].history - along[earlier].history}
            before = {(h.answer, h.hypotheses - gone) for h in along[earlier].hypothetical_answers(GOAL)}
            assert {(h.answer, h.hypotheses) for h in along[later].hypothetical_answers(GOAL)} <= before


@partly(40)
@given(programs(Shape(negation=True)), streams(LAST))
def test_possible_answers_only_shrink(rules: Rules, facts: Stream) -> None:
    along = [{h.answer for h in moment.hypothetical_answers(GOAL)} for moment in moments(rules, facts)]
    assert all(later <= earlier for earlier, later in pairwise(along))


def test_converse_of_proposition_3_fails() -> None:
    """A set minimal over the empty history, less what arrived, need not be minimal later."""
    rules = [{"head": "r(X,T)", "body": ["a(X,T)", "b(X,T+1)"]}, {"head": "r(X,T)", "body": ["c(X,T)"]}]
    facts = history({0: ["a(k,0)", "c(k,0)"]})
    judge = Judge(theory(rules), Universe(("k",), 0, 3))
    now = [stamped(fact, 0) for fact in facts[0]]
    before = {h.hypotheses for h in judge.at(-1, ()).hypothetical_answers(goal("r(X,0)"))}
    after = {h.hypotheses for h in judge.at(0, now).hypothetical_answers(goal("r(X,0)"))}
    rest = {h - {Signed(literal) for literal in now} for h in before}
    assert after == {frozenset()}
    assert rest == {frozenset(), frozenset([Signed(stamped(Fact("b", ("k",)), 1))])}


@settings(max_examples=25)
@given(programs())
def test_proposition_7_hypothetical_answers_are_instances_of_computed_ones(rules: Rules) -> None:
    """Prop. 7 over the empty history."""
    found = read(rules)
    preconditions = Resolution(found).preconditions(GOAL)
    for answer in filter(FRAME.holds, Judge(found, UNIVERSE).at(-1, ()).hypothetical_answers(GOAL)):
        assert any(
            covers(p.answer, p.premises, answer.answer, {h.literal for h in answer.hypotheses}) for p in preconditions
        )


def covers(answer: Literal, premises: tuple[Literal, ...], ground: Literal, wanted: set[Literal]) -> bool:
    def search(rest: tuple[Literal, ...], bound: Substitution, used: frozenset[Literal]) -> bool:
        if not rest:
            return used == wanted
        for candidate in wanted:
            extended = dict(bound)
            if match_literal(rest[0], candidate, extended) and search(rest[1:], extended, used | {candidate}):
                return True
        return False

    start: Substitution = {}
    return match_literal(answer, ground, start) and search(premises, start, frozenset())


@settings(max_examples=25)
@given(programs(), streams(LAST))
def test_proposition_6_instances_of_computed_answers_contain_hypothetical_ones(rules: Rules, facts: Stream) -> None:
    """Prop. 6: what is computed online is never smaller than some minimal set of the definition."""
    found = read(rules)
    online = Online(found, GOAL)
    judge = Judge(found, UNIVERSE)
    for tau in range(LAST + 1):
        online.advance(tau, facts[tau])
        sets: dict[Literal, list[frozenset[Signed]]] = {}
        for h in judge.at(tau, arrived(facts, tau)).hypothetical_answers(GOAL):
            sets.setdefault(h.answer, []).append(h.hypotheses)
        for answer in instances(online, list(online.negation.judged(online.query)), FRAME):
            assert any(smaller <= answer.hypotheses for smaller in sets[answer.answer])


@partly(40)
@given(programs(), streams(LAST), st.randoms(use_true_random=False))
def test_proposition_8_arrival_order_inside_a_time_point_does_not_matter(
    rules: Rules, facts: Stream, random: object
) -> None:
    """Prop. 8."""
    found = read(rules)
    one, other = Online(found, GOAL), Online(found, GOAL)
    for tau in range(LAST + 1):
        mixed = sorted(facts[tau], key=lambda _: random.random())  # type: ignore[attr-defined]
        one.advance(tau, facts[tau])
        other.advance(tau, mixed)
        assert set(one.answers()) == set(other.answers())


@partly(40)
@given(programs())
def test_propositions_9_and_10_delay_and_window_make_preprocessing_finite(rules: Rules) -> None:
    """Prop. 9 and 10: connected and nonrecursive programs have both numbers and finitely many preconditions."""
    found = read(rules)
    assert is_connected(found)
    assert is_nonrecursive(found)
    measures = measure(found, Key("r", 1, True))
    assert measures.delay is not None
    assert measures.window is not None
    for precondition in Resolution(found).preconditions(GOAL):
        for literal in precondition.premises:
            assert literal.time is not None
            assert precondition.answer.time is not None
            shift = literal.time.offset - precondition.answer.time.offset
            assert measures.delay - measures.window < shift <= measures.delay


def test_minimal_sets_keep_what_has_no_smaller_one() -> None:
    a, b = Signed(goal("a(0)")), Signed(goal("b(0)"))
    assert minimal_sets([frozenset([a, b]), frozenset([a])]) == {frozenset([a])}


def test_recursion_without_end_is_refused_and_bounded_on_request() -> None:
    rules = [{"head": "s(X,T+1)", "body": ["s(X,T)"]}, {"head": "s(X,T)", "body": ["r(X,T)"]}]
    with pytest.raises(Rejected):
        Online(theory(rules), goal("s(X,T)"))
    bounded = Online(theory(rules), goal("s(X,T)"), WatchOptions(bound=2))
    bounded.advance(0, [Fact("r", ("a",))])
    assert {str(a.answer) for a in bounded.answers()} == {"s(a,0)", "s(a,1)", "s(a,2)"}
