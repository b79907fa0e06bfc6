"""Instances found through an index are those of the definitions; lives told without evaluating are right."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, reject, settings

import larspark
from larspark.diagnostics import Rejected
from larspark.explain.evaluations.history import Sourced
from larspark.explain.evaluations.matching import body_solutions
from larspark.explain.evaluations.sliding import sliding_windows
from larspark.explain.evaluations.world import World
from larspark.language.facts import Signature
from larspark.language.parser import parse_fact, parse_program
from larspark.language.resolve import resolve
from larspark.questions.explaining import Case
from larspark.runtime.prepared import prepare
from larspark.semantics.entailment import conjunction
from larspark.semantics.names import all_names, order
from support.explained import case_of
from support.random_programs import Scenario
from support.strategies import STRATIFIED, scenarios


@given(scenarios(STRATIFIED))
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_bodies_have_the_instances_of_the_definitions(scenario: Scenario) -> None:
    case = case_of(scenario, "interval")
    try:
        history = case.setting.evaluate(case.arrivals, case.end)
    except Rejected:
        reject()
    time = scenario.times[len(scenario.times) // 2]
    if not history.consistent(time):
        reject()
    world = World.of(case.setting, time, history, case.setting.until(time))
    for rule in case.prepared.program.rules:
        outside = all_names([rule.head])
        found = body_solutions(world.place, world.index, rule.body, rule, {}, outside)
        defined = conjunction(world.place, order(rule.body, frozenset(), outside), rule, {})
        assert {frozenset(one.items()) for one in found} == {frozenset(one.items()) for one in defined}


NETWORK = "reach(X,Y) :- edge(X,Y) [20].  reach(X,Z) :- reach(X,Y), edge(Y,Z) [30]."
NEGATED = "a(X) :- b(X) [9], c(X) [20], not d [5]."


@pytest.mark.parametrize(
    ("program", "stream", "atom"),
    [
        (NETWORK, "0:edge(1,2) 3:edge(2,3) 4:edge(3,4) 6:edge(1,3)", "reach(1,4)"),
        (NETWORK, "0:edge(1,2) 3:edge(2,3) 4:edge(3,4)", "reach(1,4)"),
        (NETWORK, "0:edge(1,2) 15:edge(2,3) 16:edge(3,4)", "reach(1,4)"),
        (NEGATED, "0:b(1) 2:c(1)", "a(1)"),
        ("a(X) :- b(X) [9], c(X) [2].", "0:b(1) 2:c(1)", "a(1)"),
        ("a(X) :- b(X) [9], b(X) [2].", "0:b(1) 1:b(1)", "a(1)"),
        ("a :- b [3], @T b [9], T < now - 1.", "0:b 2:b", "a"),
        ("a :- b [hop 3 over 4]. c :- d.", "5:b 6:d", "a"),
        ("a :- b [4 hop 4]. c :- d.", "3:b 5:d", "a"),
    ],
)
def test_a_running_engine_tells_the_life_that_evaluating_tells(program: str, stream: str, atom: str) -> None:
    arrivals = [(int(time), fact) for time, _, fact in (part.partition(":") for part in stream.split())]
    engine = larspark.Engine(program)
    for time, fact in arrivals:
        engine.advance(time, [fact])
    now = arrivals[-1][0]
    proof = engine.why(atom, depth=None).json
    told = proof["ends"]
    lasting = told["without_input"]
    for one in told["continues_with"]:
        first, last = one["at"]
        assert last == lasting
        for arrival in (first, last):
            assert _holds(program, [*arrivals, (arrival, one["atom"])], atom, lasting)
        assert first == now + 1 or not _holds(program, [*arrivals, (now + 1, one["atom"])], atom, lasting)
    assert not _holds(program, arrivals, atom, lasting)
    said = {one["atom"] for one in told["continues_with"]}
    for fact in {node["atom"] for node in proof["nodes"] if node["kind"] == "input"} - said:
        assert not _holds(program, [*arrivals, (lasting, fact)], atom, lasting)


def _holds(program: str, arrivals: list[tuple[int, str]], atom: str, time: int) -> bool:
    ordered = sorted((Sourced(at, parse_fact(fact)) for at, fact in arrivals), key=lambda one: one.time)
    case = Case.of(prepare(program), ordered, (0, time))
    return (time, parse_fact(atom)) in case.side.history.atoms(time)


def test_what_is_read_through_sliding_windows_alone() -> None:
    program = resolve(
        parse_program("a :- b [3], c. d :- not b [5], e [2 hop 2], always f [3]. g(N) :- N = #count{ X : h(X) [4] }.")
    )
    assert sliding_windows(program) == {Signature("b", 0): 3, Signature("h", 1): 4}
