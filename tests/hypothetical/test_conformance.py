"""The published examples and the corrections to them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from hypothetical.declarative import Judge, Moment, Universe, stamped
from larspark.diagnostics import Rejected
from larspark.hypothetical.answers.answers import SupportedAnswer
from larspark.hypothetical.offline.measures import measure
from larspark.hypothetical.offline.preconditions import Precondition, minimal
from larspark.hypothetical.offline.resolution import Resolution
from larspark.hypothetical.online.query import WatchOptions
from larspark.hypothetical.theory.stratification import Strata, stratify
from larspark.hypothetical.theory.terms import Key, Literal
from support.temporal import comparable, expected, goal, history, run, shown, shown_ground, theory
from support.vectors import Case, cases

FILE = "papers/hypothetical"

NOT_RUN = {
    "hyp-sect3-typo": "a note on a misprint; Def. 2 is what the judge implements",
}
"""Cases that nothing can be run for, with the reason."""

PROPERTIES = {
    "hyp-prop1": "test_properties.py::test_proposition_1_no_hypotheses_means_answer",
    "hyp-prop2": "test_properties.py::test_proposition_2_hypotheses_fed_make_the_answer",
    "hyp-prop3": "test_properties.py::test_proposition_3_what_arrived_of_the_first_hypotheses_is_evidence",
    "hyp-prop4": "test_properties.py::test_proposition_4_hypothetical_answers_come_from_earlier_ones",
    "hyp-antimonotone": "test_properties.py::test_possible_answers_only_shrink",
    "hyp-converse-prop3": "test_properties.py::test_converse_of_proposition_3_fails",
    "hyp-lemma5": "test_resolution.py::test_lemma_5_unification_brings_no_new_variables_into_the_goal",
    "hyp-prop6": "test_properties.py::test_proposition_6_instances_of_computed_answers_contain_hypothetical_ones",
    "hyp-prop7": "test_properties.py::test_proposition_7_hypothetical_answers_are_instances_of_computed_ones",
    "hyp-prop8": "test_properties.py::test_proposition_8_arrival_order_inside_a_time_point_does_not_matter",
    "hyp-prop10": "test_properties.py::test_propositions_9_and_10_delay_and_window_make_preprocessing_finite",
    "hyp-prop12-caveat": "test_online_equals_declared.py::test_proposition_12_rows_that_are_no_answers_are_dominated",
    "hyp-prop13": "test_online_equals_declared.py::test_propositions_11_to_13_positive_programs",
    "hyp-prop14": "test_stratification.py::test_proposition_14_strata_stratify_the_closure",
    "hyp-prop15": "test_ledger.py::test_proposition_15_a_step_costs_what_it_touches",
    "hyp-neg-edb": "test_online.py::test_negated_input_is_closed_at_its_time",
}
"""Propositions, and the property tests that state them."""

KINDS = {
    "program", "answers", "hypothetical_member", "hypothetical_absent", "hypothetical_set", "supported_set",
    "online_set",
    "online_rule", "online_trace", "computed_answer", "preprocess", "delay_window", "t_stratified", "property", "note",
}  # fmt: skip


def test_every_case_is_run_or_listed() -> None:
    found = [case for kind in KINDS for case in cases(kind, FILE)]
    for case in found:
        if case.kind == "note":
            assert case.id in NOT_RUN
        if case.kind == "property":
            module, _, name = PROPERTIES[case.id].partition("::")
            assert f"def {name}(" in (Path(__file__).parent / module).read_text()
    assert len(found) == 58
    assert len(NOT_RUN) <= 0.02 * len(found)


def by_kind(*kinds: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [c for kind in kinds for c in cases(kind, FILE)], ids=str)


def moment(case: Case, tau: int, last: int | None = None) -> Moment:
    found = theory(case["program"])
    universe = case.get("universe")
    facts = history(case.get("stream", {}))
    constants = {a for time in facts for f in facts[time] for a in f.args}
    constants |= {a for c in found.clauses for lit in (c.head, *c.body) for a in lit.args if not isinstance(a, tuple)}
    constants |= set(universe["consts"]) if universe else {"wt42"}
    first, end = universe["times"] if universe else (0, 6)
    judge = Judge(found, Universe(tuple(sorted(constants, key=str)), first, last or end))
    return judge.at(tau, [stamped(f, t) for t, fs in facts.items() if t <= tau for f in fs])


@by_kind("program")
def test_program(case: Case) -> None:
    found = theory(case["program"])
    assert {key.predicate for key in found.intensional} == set(case["expect"]["idb"])
    assert {key.predicate for key in found.extensional} == set(case["expect"]["edb"])


@by_kind("answers")
def test_answers(case: Case) -> None:
    asked = goal(case["query"])
    wanted = {comparable(theta, (), ()) for theta in case["expect"]}
    found = moment(case, case["tau"]).answers(asked)
    assert {shown(SupportedAnswer(a, frozenset(), frozenset()), asked) for a in found} == wanted
    online = run(theory(case["program"]), asked, history(case["stream"]), case["tau"])
    assert {shown(a, asked)[0] for a in online.answers() if a.definite} == {w[0] for w in wanted}


@by_kind("hypothetical_member")
def test_hypothetical_members(case: Case) -> None:
    asked = goal(case["query"])
    at = moment(case, case["tau"])
    found = {shown_ground(h, asked) for h in at.hypothetical_answers(asked)}
    assert expected(case["expect"]["contains"]) <= found
    supported = {shown_ground(s, asked)[::2] for s in at.supported_answers(asked)}
    wanted = {e[::2] for e in expected(case["expect"]["contains"])}
    assert (wanted <= supported) == case["expect"].get("supported", True)


@by_kind("hypothetical_absent")
def test_hypothetical_absences(case: Case) -> None:
    asked = goal(case["query"])
    taus = case["tau"] if isinstance(case["tau"], list) else [case["tau"]]
    for tau in taus:
        found = [shown_ground(h, asked) for h in moment(case, tau).hypothetical_answers(asked)]
        if "absent" in case["expect"]:
            assert comparable(case["expect"]["absent"], (), ())[0] not in {f[0] for f in found}
        else:
            assert min(int(dict(f[0])["T"]) for f in found) == case["expect"]["min_T"]


@by_kind("hypothetical_set")
def test_hypothetical_sets(case: Case) -> None:
    asked = goal(case["query"])
    wanted = case["expect"]["hypotheses_for"]
    theta = comparable(wanted["theta"], (), ())[0]
    found = [shown_ground(h, asked) for h in moment(case, case["tau"]).hypothetical_answers(asked)]
    assert {f[2] for f in found if f[0] == theta} == {frozenset(s) for s in wanted["sets"]}


@by_kind("supported_set", "online_set")
def test_supported_sets(case: Case) -> None:
    asked = goal(case["query"])
    entries = case["expect"]["contains"] if isinstance(case["expect"], dict) else case["expect"]
    wanted = expected(entries)
    online = run(theory(case["program"]), asked, history(case["stream"]), case["tau"])
    found = {shown(a, asked) for a in online.answers()}
    if isinstance(case["expect"], dict):
        assert wanted <= found
    else:
        assert found == wanted
    if "universe" in case.data:
        at = moment(case, case["tau"], case["universe"]["times"][1] + 1)
        last = case["universe"]["times"][1]
        declared = {shown_ground(s, asked) for s in at.supported_answers(asked) if s.answer.time.offset <= last}
        assert declared == wanted


@by_kind("online_trace")
def test_online_traces(case: Case) -> None:
    found = theory(case["program"])
    constants = tuple(case["constants"]) if "constants" in case.data else None
    for tau, entries in {**case["expect"], **case.get("correct", {})}.items():
        per_query = entries if isinstance(entries, dict) else {case["query"].split("(")[0]: entries}
        for predicate, wanted in per_query.items():
            asked = goal(f"{predicate}(X,T)")
            online = run(found, asked, history(case["stream"]), tau, WatchOptions(constants=constants))
            assert {shown(a, asked) for a in online.answers()} == expected(wanted)


@by_kind("online_rule")
def test_unconnected_rules_keep_and_fork(case: Case) -> None:
    assert case["expect"] == "keep and fork"
    rules = [{"head": "d(X,0)", "body": ["a(X,T1)", "b(X,T2)"]}]
    asked = goal("d(X,T)")
    facts = history({0: ["a(k,0)"], 2: ["b(k,2)"], 5: ["a(m,5)"]})
    online = run(theory(rules), asked, facts, 1)
    assert {shown(a, asked) for a in online.answers()} == {comparable({"X": "k", "T": 0}, ["a(k,0)"], ["b(k,T2)"])}
    online.advance(2, facts[2])
    assert comparable({"X": "k", "T": 0}, ["a(k,0)", "b(k,2)"], []) in {shown(a, asked) for a in online.answers()}


def texts(literals: Iterable[Literal]) -> frozenset[str]:
    return frozenset(str(literal) for literal in literals)


@by_kind("computed_answer")
def test_computed_answers(case: Case) -> None:
    asked = goal(case["query"])
    if "contains" in case["expect"]:
        online = run(theory(case["program"]), asked, history(case["stream"]), case["tau"])
        found = {(shown(a, asked)[0], shown(a, asked)[2]) for a in online.answers()}
        wanted = {(comparable(e["theta"], (), ())[0], frozenset(e["premises"])) for e in case["expect"]["contains"]}
        assert wanted <= found
    else:
        (found_one,) = Resolution(theory(case["program"])).computed_answers(asked)
        assert found_one.theta(asked) == case["expect"]["theta"]
        assert texts(found_one.premises) == set(case["expect"]["premises"])


def entry(precondition: Precondition, asked: Literal) -> tuple[object, ...]:
    theta = tuple(sorted((k, str(v)) for k, v in precondition.theta(asked).items()))
    earliest = texts(precondition.earliest)
    return theta, earliest, texts(precondition.premises) - earliest


@by_kind("preprocess")
def test_preprocessing(case: Case) -> None:
    asked = goal(case["query"])
    resolution = Resolution(theory(case["program"]))
    if case["expect"] == "does not terminate":
        with pytest.raises(Rejected) as caught:
            resolution.preconditions(asked)
        assert "s(X,T+1) → s(X,T)" in caught.value.diagnostics[0].message
        assert Resolution(theory(case["program"]), bound=3).preconditions(asked)
        return
    computed = resolution.computed_answers(asked)
    if "computed" in case["expect"]:
        wanted = {(comparable(e["theta"], (), ())[0], frozenset(e["premises"])) for e in case["expect"]["computed"]}
        assert {(entry(p, asked)[0], texts(p.premises)) for p in computed} == wanted
    if "preconditions" in case["expect"]:
        wanted_pq = {
            (comparable(e["theta"], (), ())[0], frozenset(e["M"]), frozenset(e["F"]))
            for e in case["expect"]["preconditions"]
        }
        assert {entry(p, asked) for p in minimal(computed)} == wanted_pq


@by_kind("delay_window")
def test_delay_and_window(case: Case) -> None:
    for predicate, wanted in case["expect"].items():
        found = measure(theory(case["program"]), Key(predicate, 1, True))
        assert (found.delay, found.window) == (wanted["delay"], wanted["window"])


@by_kind("t_stratified")
def test_t_stratified(case: Case) -> None:
    assert isinstance(stratify(theory(case["program"])), Strata) == case["expect"]
