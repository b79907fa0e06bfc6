"""The JTMS reasoner tick by tick (conformance kinds impl_trace, truncation), and what random programs leave out."""

from __future__ import annotations

import pytest

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
from larspark.reasoners.jtms import JtmsReasoner
from larspark.reasoners.jtms.network import NodeLabel
from larspark.reasoners.reference import ReferenceReasoner
from support.analysed import analysed
from support.vectors import Case, arrivals, cases


def shown(reasoner: JtmsReasoner) -> list[str]:
    (stream,) = reasoner.answer().answer_streams
    return sorted(map(str, stream.now))


def ticked(case: Case, arrived: list[tuple[int, Fact]], until: int, reasoner: JtmsReasoner) -> dict[str, list[str]]:
    """What holds at every tick `time,count`."""
    found: dict[str, list[str]] = {}
    count = 0
    for time in range(case["stream"]["timeline"][0], until + 1):
        reasoner.advance(time)
        found[f"{time},{count}"] = shown(reasoner)
        for fact in (fact for at, fact in arrived if at == time):
            reasoner.advance(time, [fact])
            count += 1
            found[f"{time},{count}"] = shown(reasoner)
    return found


@pytest.mark.parametrize("case", cases("impl_trace"), ids=str)
def test_ticks_of_the_implementation(case: Case):
    start, end = case["stream"]["timeline"]
    reasoner = JtmsReasoner(analyse(case.program), (), start)
    found = ticked(case, arrivals(case["stream"]), end, reasoner)
    expected = case["expect"]["correct"]
    assert {tick: found[tick] for tick in expected} == expected


@pytest.mark.parametrize("case", cases("truncation"), ids=str)
def test_what_a_truncated_stream_loses(case: Case):
    """thesis-thm28: starting in the middle of a time point forgets what the windows can still see."""
    _, end = case["stream"]["timeline"]
    everything = arrivals(case["stream"])
    _, count = case["start_tick"]
    kept = everything[count - 1 if case["keep_first_signal"] else count :]
    for name, arrived in (("full", everything), ("truncated", kept)):
        found = ticked(case, arrived, end, JtmsReasoner(analyse(case.program)))
        assert [list(found.values())[-1]] == case["expect"][name]


def test_a_choice_is_kept_when_its_reasons_change():
    text = "p(X) :- c(X) [2], not q(X). q(X) :- c(X) [2], not p(X). r :- p(X)."
    reasoner = JtmsReasoner(analysed(text))
    reasoner.advance(0, [parse_fact("c(1)")])
    chosen = shown(reasoner)
    for time in range(1, 8):
        reasoner.advance(time, [parse_fact("c(1)"), parse_fact(f"c({time + 1})")])
        assert set(chosen) <= set(shown(reasoner))


def test_the_network_can_be_looked_at():
    reasoner = JtmsReasoner(analysed("b :- a [1]. c :- not b."))
    reasoner.advance(0, [parse_fact("a")])
    b, c = parse_fact("b"), parse_fact("c")
    assert reasoner.network.label == {b: NodeLabel.IN, c: NodeLabel.OUT}
    assert reasoner.network.support == {b: frozenset(), c: {b}}
    assert reasoner.network.affected(b) == {c}


def test_the_network_forgets_what_only_supports_itself():
    """Every value leaves a positive loop behind; the clean-up finds it."""
    text = "p(X) :- e(X) [1]. p(X) :- q(X). q(X) :- p(X)."
    reasoner = JtmsReasoner(analysed(text))
    for time in range(6_000):
        reasoner.advance(time, [parse_fact(f"e({time})")])
    assert shown(reasoner) == ["p(5998)", "p(5999)", "q(5998)", "q(5999)"]
    assert len(reasoner.network.label) < 5_000


def test_recorded_conclusions_are_seen_later():
    text = "alarm :- hot. again :- alarm [3], not hot. #record alarm/0."
    exact, reasoner = ReferenceReasoner(analysed(text)), JtmsReasoner(analysed(text))
    for time, facts in ((0, ["hot"]), (2, []), (3, []), (6, []), (7, ["hot"])):
        atoms = [parse_fact(fact) for fact in facts]
        exact.advance(time, atoms)
        reasoner.advance(time, atoms)
        assert reasoner.answer().answer_streams == exact.answer().answer_streams


def test_a_head_pinned_before_the_start_leaves_no_answer_stream():
    reasoner = JtmsReasoner(analysed("@(T-2) b :- @T a [1]."))
    assert not reasoner.advance(0, [parse_fact("a")]).consistent
    assert reasoner.answer().answer_streams == ()
    assert reasoner.advance(2).consistent


@pytest.mark.parametrize("head", ["t(X,X) | r(X)", "r(X) | t(X,X)"])
def test_what_arrived_stays_chosen(head: str):
    """The rules of one time point leave before those of the next one come; what held in between is remembered."""
    reasoner = JtmsReasoner(analysed(f"#input r/1. {head} :- @now bg(X)."), [parse_fact("bg(2)")])
    reasoner.advance(0, [parse_fact("r(2)")])
    for time in (1, 2, 5):
        reasoner.advance(time)
        assert shown(reasoner) == ["r(2)"]


def test_a_choice_is_kept_when_its_rules_come_back_after_others():
    """Of what arrives and is background the time is asked for in a second round, when the rules have left already."""
    text = "#input e/1. r(X) :- @now e(X), not q(X). q(X) :- e(X), not r(X)."
    reasoner = JtmsReasoner(analysed(text), [parse_fact("e(3)")])
    reasoner.advance(0, [parse_fact("e(3)")])
    for time in (1, 2, 5):
        reasoner.advance(time)
        assert shown(reasoner) == ["r(3)"]


@pytest.mark.parametrize("text", ["{ r } :- e(_) [0].", "{ r; s } :- e(_) [0]."])
def test_what_was_not_chosen_stays_away_when_it_can_be_chosen(text: str):
    """The empty answer stream was one before there was a choice, and still is one."""
    reasoner = JtmsReasoner(analysed(text), (), 0)
    reasoner.advance(0)
    reasoner.advance(1, [parse_fact("e(1)")])
    assert all("not" in name for name in shown(reasoner))
