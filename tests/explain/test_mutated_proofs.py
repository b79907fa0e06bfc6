"""A proof that says something else than the stream and the rules is found out."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from larspark.diagnostics import Rejected
from larspark.explain.evaluations.history import RecordPlace, Sourced
from larspark.explain.verification.verify import verify
from larspark.language.parser import parse_program
from larspark.questions.explaining import Case
from larspark.runtime.prepared import prepare
from support.explained import case
from support.notation import fact

PROGRAM = """\
hot(M) :- temp(M, V) [5], V > 80.
alarm(M) :- always high(M) [2], not technician(_) [4], hot(M).
busy(N) :- N = #count{ M : high(M) [3] }, N >= 1.
late(M) :- @T temp(M, _) [6], alarm(M), busy(_).
near(X,Y) :- link(X,Y) [9].
near(X,Z) :- near(X,Y), near(Y,Z).
"""
STREAM = """
0:technician(ann) 1:link(a,b) 2:link(b,c) 2:link(c,a) 3:temp(press,70) 4:temp(press,90)
5:high(press) 6:high(press) 7:high(press)
"""


def proof(atom: str, time: int = 7) -> tuple[dict[str, Any], Any]:
    asked = case(PROGRAM, STREAM)
    (found,) = asked.why(atom, time, depth=None)
    return json.loads(json.dumps(found.as_json())), asked.setting


def mutations(found: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every field of every node that says something, changed."""
    for place, node in enumerate(found["nodes"]):
        for name in ("atom", "at", "bindings", "rule", "window", "times", "arrivals", "lines", "value", "left", "kind"):
            if name in node:
                changed = copy.deepcopy(found)
                changed["nodes"][place][name] = _other(name, node[name])
                yield f"{node['kind']} {place}: {name}", changed
        for number in range(len(node["premises"])):
            changed = copy.deepcopy(found)
            del changed["nodes"][place]["premises"][number]
            yield f"{node['kind']} {place}: without premise {number}", changed
        if node.get("nearest"):
            changed = copy.deepcopy(found)
            changed["nodes"][place]["nearest"]["at"] += 1
            yield f"{node['kind']} {place}: nearest", changed


def _other(name: str, value: Any) -> Any:
    match name, value:
        case "atom", str():
            return "hot(saw)" if value != "hot(saw)" else "hot(press)"
        case "kind", _:
            return "background" if value != "background" else "input"
        case "bindings", dict():
            return {key: f"{one}x" for key, one in value.items()} if value else {"Z": 1, **value}
        case "rule", dict():
            return {**value, "index": (value["index"] + 1) % 6}
        case "window", dict():
            return {**value, "from": value["from"] + 1}
        case _, [[int(first), int(last)], *rest]:
            return [[first, last + 1], *rest]
        case _, [int(first), int(last)]:
            return [first + 1, last + 1]
    return value + 1


@pytest.mark.parametrize("atom", ["late(press)", "near(a,a)", "busy(1)"])
def test_mutated_proofs_fail(atom: str) -> None:
    found, setting = proof(atom)
    assert verify(found, setting) is None
    wrong = 0
    for name, changed in mutations(found):
        if changed == found:
            continue
        assert verify(changed, setting) is not None, f"{name}\n{json.dumps(changed)}"
        wrong += 1
    assert wrong > 20


@pytest.mark.parametrize("atom", ["late(press)", "near(a,a)", "busy(1)"])
@pytest.mark.parametrize(
    "change",
    [
        lambda proof: proof["span"].update({"from": proof["span"]["from"] - 1}),
        lambda proof: proof["span"].update({"from": proof["span"]["from"] + 1}),
        lambda proof: (
            proof["span"].update(to=proof["span"]["to"] + 1),
            proof["ends"].update(without_input=proof["span"]["to"] + 1),
        ),
        lambda proof: (
            proof["span"].update(to=proof["span"]["to"] - 1),
            proof["ends"].update(without_input=proof["span"]["to"] + 1),
        ),
        lambda proof: proof["ends"].update(without_input=99),
        lambda proof: proof.update(span={"from": "early"}),
    ],
)
def test_a_life_of_other_times_is_found_out(atom: str, change: Callable[[dict[str, Any]], object]) -> None:
    found, setting = proof(atom)
    change(found)
    assert verify(found, setting) is not None


def test_a_proof_must_not_rest_on_itself() -> None:
    found, setting = proof("near(a,c)")
    root = found["nodes"][0]
    root["premises"] = [root["id"], root["id"]]
    assert verify(found, setting) is not None


@pytest.mark.parametrize(
    "change",
    [
        lambda proof: proof.update(schema="larspark/explanation@9"),
        lambda proof: proof.update(program="another"),
        lambda proof: proof.update(nodes=3),
        lambda proof: proof.pop("question"),
    ],
)
def test_other_files_are_no_proofs(change: Callable[[dict[str, Any]], object]) -> None:
    found, setting = proof("near(a,c)")
    change(found)
    with pytest.raises(Rejected) as rejected:
        verify(found, setting)
    assert rejected.value.diagnostics[0].code == "E562"


def test_proofs_through_recursion_are_well_founded() -> None:
    found, setting = proof("near(a,a)")
    assert verify(found, setting) is None
    rules = [node["atom"] for node in found["nodes"] if node["kind"] == "rule"]
    assert len(rules) == len(set(rules)) == 5


def test_background_that_arrives_as_well_holds_in_windows_that_do_not_select_the_arrival() -> None:
    prepared = prepare(parse_program("q :- @T e(_) [1] [1 #]. #input e/1."), background=["e(1)"])
    arrivals = [Sourced(3, fact("e(1)"), RecordPlace("s", 1)), Sourced(3, fact("f"), RecordPlace("s", 2))]
    asked = Case.of(prepared, arrivals, reasoner="reference")
    (found,) = asked.why("q", 3)
    assert [node.kind for node in found.nodes] == ["rule", "at", "background"]
    assert verify(json.loads(json.dumps(found.as_json())), asked.setting) is None


@pytest.mark.parametrize(
    "condition", ["(reset a) [0]", "reset 2 < now", "reset 1 <= #count{ X : b(X) [3] }", "(not c) [1]"]
)
def test_conditions_behind_windows_and_resets(condition: str) -> None:
    asked = case(f"q :- b(X) [3], {condition}.", "2:b(1) 3:a", reasoner="reference")
    (found,) = asked.why("q", 3)
    assert verify(json.loads(json.dumps(found.as_json())), asked.setting) is None


def test_what_was_recorded_ahead_is_concluded_now() -> None:
    asked = case("#record r/1. @(T+3) r(X) :- @T e(X) [4].", "1:e(1) 2:b")
    (found,) = asked.why("@4 r(1)", 2, lived=False)
    assert found.nodes[0].kind == "rule"
    assert verify(json.loads(json.dumps(found.as_json())), asked.setting) is None
