"""Predicates that are derived and also arrive (`#input`), or are recorded: clingo and jtms beside the reference."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, reject, settings

from larspark.diagnostics import Rejected
from larspark.language.parser import parse_fact
from larspark.reasoners.registry import make_reasoner
from support.analysed import analysed
from support.judged import analysed as analysed_scenario
from support.random_programs import Scenario
from support.strategies import ARRIVING, scenarios
from support.tiers import part

SIMPLE = replace(ARRIVING, aggregates=False)

PROGRAMS = {
    "windows": """#input p/1.  p(X) :- e(X) [2].  q(X) :- p(X) [3].  r(X) :- always p(X) [1].
                  @(T+1) p(X) :- @T q(X) [1], not e(X).""",
    "filters": """#input p/1.  p(X) :- e(X) [3 hop 2].  w(X) :- p(X) [of p(1)] [2].  v(X) :- p(X) [1 # per X].
                  u(X) :- not w(X), e(X).""",
    "record": """#input p/1.  #record l/1.  p(X) :- e(X).  c(T) :- @T p(1).  l(X) :- p(X) [2 #].  n :- not p(_) [1].
                 m(X) :- l(X) [2].""",
    "standing": """#input p/1.  p(X) :- e(X).""",
}


@pytest.mark.parametrize("name", ["clingo", "jtms"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_same_answers_as_the_definition(program: str, name: str):
    analysis = analysed(PROGRAMS[program])
    for seed in range(20):
        random = Random(seed)
        exact, reasoner = make_reasoner("reference", analysis), make_reasoner(name, analysis)
        time = 0
        for _ in range(12):
            time += random.choice((0, 1, 1, 2))
            arriving = [
                parse_fact(f"{random.choice('eep')}({random.randint(1, 2)})") for _ in range(random.randint(0, 2))
            ]
            exact.advance(time, arriving)
            reasoner.advance(time, arriving)
            assert reasoner.answer().answer_streams == exact.answer().answer_streams


@pytest.mark.random
@pytest.mark.partly
@pytest.mark.parametrize("name", ["clingo", "jtms"])
def test_random_programs_with_derived_input(name: str) -> None:
    @settings(max_examples=part(150), suppress_health_check=list(HealthCheck))
    @given(scenarios(SIMPLE))
    def check(scenario: Scenario) -> None:
        try:
            analysis, start = analysed_scenario(scenario), scenario.stream.start
            exact = make_reasoner("reference", analysis, scenario.background, start)
            reasoner = make_reasoner(name, analysis, scenario.background, start)
            for time in scenario.times:
                facts = [arrival.fact for arrival in scenario.stream.input if arrival.time == time]
                exact.advance(time, facts)
                reasoner.advance(time, facts)
                assert reasoner.answer().answer_streams == exact.answer().answer_streams, f"at {time}{scenario}"
        except Rejected:
            reject()

    check()
