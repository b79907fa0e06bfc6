"""Answers under negation, kept from one time point to the next: as if judged anew, at the cost of what changes."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import assume, given

from larspark.hypothetical import online_algorithm as online_module
from larspark.hypothetical.answers.answers import SupportedAnswer, minimal_answers
from larspark.hypothetical.negation.negation import NegationJudge
from larspark.hypothetical.offline.retention import EvidenceRetention
from larspark.hypothetical.online.query import WatchOptions
from larspark.hypothetical.online_algorithm import Online
from larspark.hypothetical.theory.stratification import Strata, stratify
from larspark.hypothetical.theory.temporal_datalog import temporal_theory
from larspark.hypothetical.theory.theory import Theory
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from support.temporal import goal
from support.temporal_programs import CONSTANTS, Rules, Shape, Stream, goal_r, programs, streams, text
from support.tiers import partly

LAST = 11
REPAIRS = """
@T broken(X) :- @T hot(X), not @(T+1) fixed(X), not @(T-1) off(X).
@T fixed(X) :- @T crew(X), @(T+1) done(X).
"""


def repairs(options: WatchOptions | None = None) -> Online:
    return Online(temporal_theory(parse_program(REPAIRS)), goal("broken(X,T)"), options)


def remembering_everything(theory: Theory, options: WatchOptions) -> Online:
    """The same with nothing forgotten."""

    def for_ever(goal: Iterable[object], negated: dict[object, list[object]], keep: int | None) -> EvidenceRetention:
        rows = {key: [None] * len(found) for key, found in negated.items()}
        return EvidenceRetention([keep for _ in goal], rows, dict.fromkeys(negated))  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(online_module, "retention", for_ever)
        return Online(theory, goal_r(), options)


def judged_anew(online: Online) -> set[SupportedAnswer]:
    judged = online.negation.judged(online.query)
    return set(minimal_answers(answer for answer in judged if not online.holds_anyway(answer)))


@partly(60)
@given(programs(Shape(negation=True, body=2)), streams(LAST))
def test_kept_answers_equal_those_judged_anew(rules: Rules, facts: Stream) -> None:
    theory = temporal_theory(parse_program(text(rules)))
    assume(isinstance(stratify(theory), Strata))
    options = WatchOptions(constants=CONSTANTS)
    kept, anew = Online(theory, goal_r(), options), remembering_everything(theory, options)
    for time in range(LAST + 1):
        kept.advance(time, facts[time])
        anew.advance(time, facts[time])
        assert set(kept.answers()) == judged_anew(anew)


@partly(40)
@given(programs(Shape(negation=True, several=True, body=2, layers=("p", "r"))), streams(LAST))
def test_also_with_several_time_variables_and_skipped_time_points(rules: Rules, facts: Stream) -> None:
    theory = temporal_theory(parse_program(text(rules)))
    assume(isinstance(stratify(theory), Strata))
    options = WatchOptions(constants=CONSTANTS)
    kept, anew = Online(theory, goal_r(), options), remembering_everything(theory, options)
    for time in range(LAST + 1):
        anew.advance(time, facts[time] if time % 5 else ())
        if time % 5:
            kept.advance(time, facts[time])
    assert set(kept.answers()) == judged_anew(anew)


def test_proposition_15_a_step_costs_what_it_touches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The online step follows what arrives: settled answers and waiting rows are not judged again."""
    judged: list[int] = []
    plain = NegationJudge.judge
    monkeypatch.setattr(NegationJudge, "judge", lambda self, schema: judged.append(1) or plain(self, schema))
    online = repairs()
    counts = {}
    for time in range(40):
        judged.clear()
        online.advance(time, [Fact("hot", (f"wt{i}",)) for i in range(500)] if time == 5 else [])
        counts[time] = len(judged)
    assert counts[5] >= 500
    assert sum(1 for answer in online.answers() if answer.definite) == 500
    assert all(counts[time] <= 4 for time in range(10, 40))


def test_an_answer_is_judged_again_when_its_negated_atom_may_change() -> None:
    online = repairs()
    online.advance(5, [Fact("hot", ("k",)), Fact("hot", ("m",))])
    online.advance(6, [Fact("crew", ("k",)), Fact("crew", ("m",))])
    assert {str(a.answer) for a in online.answers() if not a.definite} >= {"broken(k,5)", "broken(m,5)"}
    online.advance(7, [Fact("done", ("k",))])
    assert {str(a.answer) for a in online.answers() if a.definite} == {"broken(m,5)"}


def test_memory_under_negation_is_bounded_by_the_window() -> None:
    online = repairs(WatchOptions(keep=0))
    sizes = []
    for time in range(80):
        devices = [f"wt{(7 * time + i) % 50}" for i in range(20)]
        facts = [
            Fact(kind, (device,))
            for i, device in enumerate(devices)
            for kind in ("hot", "off", "crew", "done")[i % 4 :]
        ]
        online.advance(time, facts)
        sizes.append(len(online) + online.negation.remembered)
    assert max(sizes[40:]) <= max(sizes[10:40])


def test_a_definite_answer_is_kept_from_when_its_negated_atoms_are_settled() -> None:
    """Not from when its premises are complete: until then it was no definite answer."""
    online = Online(
        temporal_theory(parse_program("@T r(X) :- @T a(X), not @(T+4) e(X).")), goal("r(X,T)"), WatchOptions(keep=1)
    )
    online.advance(0, [Fact("a", ("k",))])
    definite = {}
    for time in range(1, 8):
        online.advance(time)
        definite[time] = [a.definite for a in online.answers() if str(a.answer) == "r(k,0)"]
    assert definite == {1: [False], 2: [False], 3: [False], 4: [True], 5: [True], 6: [], 7: []}


def test_late_facts_may_come_in_several_portions_at_one_time() -> None:
    online = Online(
        temporal_theory(parse_program("@T r(X) :- @T a(X), not @T e(X).")), goal("r(X,T)"), WatchOptions(delay=2)
    )
    online.advance_late(3, [(3, Fact("a", ("k",)))])
    assert [str(h) for a in online.answers() for h in a.hypotheses] == ["not e(k,3)"]
    online.advance_late(3, [(3, Fact("e", ("k",)))])
    assert online.answers() == []
