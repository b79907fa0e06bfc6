"""The truth maintenance network by itself: conformance kinds tms_model, jtms_run, jtms_state, jtms_trace, asp."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from definitions.admissible_models import is_admissible, is_closed, is_founded
from larspark.reasoners.jtms.fallback import answer_set
from larspark.reasoners.jtms.maintenance import NoAdmissibleModel, TruthMaintenance
from larspark.reasoners.jtms.network import Justification, NodeLabel
from support.vectors import Case, cases


def rule(text: str) -> Justification:
    """`a :- b, not c.`"""
    head, _, body = text.rstrip(".").partition(":-")
    literals = [literal.strip() for literal in body.split(",") if literal.strip()]
    negative = tuple(literal.removeprefix("not ") for literal in literals if literal.startswith("not "))
    return Justification(head.strip(), tuple(one for one in literals if not one.startswith("not ")), negative)


def rules(texts: list[str]) -> list[Justification]:
    return [rule(text) for text in texts]


def take(maintenance: TruthMaintenance, step: dict[str, str]) -> None:
    if "add" in step:
        maintenance.add(rule(step["add"]))
    else:
        maintenance.remove(rule(step["remove"]))


@pytest.mark.parametrize("case", cases("tms_model"), ids=str)
def test_models(case: Case):
    program, model = rules(case["rules"]), set(case["model"])
    found = {
        "founded": is_founded(program, model),
        "closed": is_closed(program, model),
        "admissible": is_admissible(program, model),
    }
    assert found == case["expect"]


@pytest.mark.parametrize("case", cases("jtms_run"), ids=str)
def test_runs(case: Case):
    """Where the published procedure ends in an inadmissible model or not at all, this one says that there is none."""
    maintenance = TruthMaintenance()
    outcome = case.get("outcome", "admissible")
    *steps, last = case["steps"]
    for step in steps:
        take(maintenance, step)
        if "model" in step:
            assert maintenance.network.model() == set(step["model"])
    if outcome != "admissible":
        with pytest.raises(NoAdmissibleModel):
            take(maintenance, last)
        return
    take(maintenance, last)
    wanted = last.get("any_of", [last.get("model")])
    assert maintenance.network.model() in [set(model) for model in wanted]


@pytest.mark.parametrize("case", cases("jtms_state"), ids=str)
def test_states(case: Case):
    maintenance = TruthMaintenance()
    for step in case["steps"]:
        take(maintenance, step)
    network, expect = maintenance.network, case["expect"]
    assert {node: label.value for node, label in network.label.items()} == expect["label"]
    assert {node: sorted(nodes) for node, nodes in network.support.items()} == expect["supp"]
    assert {node: network.supporting.get(node) for node in network.label} == {
        node: text and rule(text) for node, text in expect["suppJ"].items()
    }
    assert {node: sorted(network.consequences(node)) for node in network.label} == expect["cons"]


@pytest.mark.parametrize("case", [case for case in cases("jtms_trace") if "final_model" in case["expect"]], ids=str)
def test_traces_end_in_the_same_model(case: Case):
    maintenance = TruthMaintenance()
    for text in next(run for run in cases("jtms_run") if run.id == "thesis-ex59-run")["steps"]:
        take(maintenance, text)
    assert maintenance.network.model() == set(case["expect"]["final_model"])


def test_adding_follows_the_reconstructed_algorithm():
    """thesis-alg6.1-missing: a head that is in stays, an invalid rule adds a spoiler, a valid one an update."""
    maintenance = TruthMaintenance()
    network = maintenance.network
    assert maintenance.add(rule("a :- b.")) == set()
    assert network.support["a"] == {"b"}
    assert maintenance.add(rule("a :- c.")) == set()
    assert network.support["a"] == {"b", "c"}
    assert maintenance.add(rule("b.")) == {"a", "b"}
    supporting = network.supporting["a"]
    assert maintenance.add(rule("c.")) == {"c"}
    assert network.supporting["a"] == supporting


@pytest.mark.parametrize("case", cases("asp", "thesis/jtms"), ids=str)
def test_admissible_models_are_answer_sets(case: Case):
    """Theorem 25."""
    program = rules(case["program"])
    nodes = sorted({node for one in program for node in one.atoms()})
    subsets = (set(chosen) for size in range(len(nodes) + 1) for chosen in combinations(nodes, size))
    models = [model for model in subsets if is_admissible(program, model)]
    assert sorted(map(sorted, models)) == sorted(map(sorted, case["expect"]))


NODES = "abcde"
bodies = st.frozensets(st.sampled_from(NODES), max_size=2).map(lambda nodes: tuple(sorted(nodes)))
justifications = st.builds(Justification, st.sampled_from(NODES), bodies, bodies)


@settings(max_examples=400)
@given(st.lists(st.tuples(justifications, st.booleans()), max_size=16), st.booleans())
def test_every_change_leads_to_an_admissible_model(steps: list[tuple[Justification, bool]], patient: bool):
    """thesis-thm25, thesis-jtms-correct; odd loops included: then there is a model or an exception that says so."""
    maintenance = TruthMaintenance() if patient else TruthMaintenance(0, answer_set)
    program: set[Justification] = set()
    for one, removes in steps:
        if removes and program:
            one = sorted(program)[len(program) // 2]  # noqa: PLW2901
            program.remove(one)
        elif one in program:
            continue
        else:
            program.add(one)
        subsets = (set(chosen) for size in range(len(NODES) + 1) for chosen in combinations(NODES, size))
        models = [model for model in subsets if is_admissible(program, model)]
        before = maintenance.network.model()
        try:
            changed = maintenance.change([one] if one in program else [], [] if one in program else [one])
        except NoAdmissibleModel:
            assert models == []
            continue
        model = maintenance.network.model()
        assert model in models
        assert changed >= before ^ model
        assert NodeLabel.UNKNOWN not in maintenance.network.label.values()
