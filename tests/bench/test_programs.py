"""Programs and generators are those of the conformance vectors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest

from larspark.analysis.pipeline import analyse
from larspark.bench.workloads import programs, streams
from larspark.bench.workloads.catalogue import WORKLOADS
from larspark.bench.workloads.task import ArrivalStep, Parameters
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.tree import Program
from larspark.reasoners.reference import ReferenceReasoner
from support.vectors import Case, cases, program

WINDOW = 5


def _stream(case: Case, parameters: Parameters) -> Iterator[ArrivalStep]:
    generator = case["generator"]
    match generator["atom"]:
        case "p(t,t+1)":
            return streams.chain(parameters)
        case "p(floor(t/rep), 0)":
            return streams.repeated(parameters, generator["rep"])
        case "p(t*rate+i, t*rate+i), i = 0..rate-1":
            return streams.unique(replace(parameters, rate=generator["rate"]))
    raise ValueError(generator["atom"])


@pytest.mark.parametrize("case", cases("result_count"), ids=str)
def test_result_counts(case: Case):
    (rule,) = case["rules"]
    first, last = case["generator"]["timeline"]
    parameters = Parameters(rate=1, points=last - first + 1)
    reasoner = ReferenceReasoner(analyse(parse_program(rule)), (), first)
    counts, new = {}, []
    for time, facts in _stream(case, parameters):
        change = reasoner.advance(time, facts)
        (answer,) = reasoner.answer().answer_streams
        counts[time] = len(answer.now)
        new.append(len(change.appeared))
    assert {time: count for time, count in counts.items() if count} == case["expect"]["counts"]
    if "new_heads_per_time_point" in case["expect"]:
        assert set(new[1:]) == {case["expect"]["new_heads_per_time_point"]}


def _with_window(data, size: int):
    """The program of a case with its window parameter k replaced."""
    match data:
        case {"kind": "time", **rest}:
            return {"kind": "time", **rest, "past": size}
        case dict():
            return {key: _with_window(value, size) for key, value in data.items()}
        case list():
            return [_with_window(value, size) for value in data]
    return data


@pytest.mark.parametrize("case", cases("benchmark_program"), ids=str)
def test_the_programs_of_the_thesis(case: Case):
    ours = {
        "thesis-bench-basic": programs.basic("td"),
        "thesis-bench-reach": programs.reach,
        "thesis-bench-strategy": programs.strategy,
        "thesis-bench-content": programs.content,
    }[case.id]
    parsed = parse_program(ours(Parameters(window=WINDOW)))
    assert Program(parsed.rules) == program(_with_window(case["program"], WINDOW))


@pytest.mark.parametrize("case", cases("instance_names"), ids=str)
def test_the_six_forms_have_their_published_names(case: Case):
    assert set(programs.FORMS) == set(case["expect"].values())
    for name in case["expect"].values():
        assert f"basic-{name}" in WORKLOADS


def test_signals_come_with_their_probability():
    steps = list(streams.signals(Parameters(size=32, points=400, probability=0.25)))
    average = sum(len(step.facts) for step in steps) / len(steps)
    assert 0.9 * 32 * 0.25 < average < 1.1 * 32 * 0.25


def test_the_value_walks_one_step_at_a_time_within_its_bounds():
    values = [fact.args[0] for step in streams.walking_value(Parameters(size=4, points=300)) for fact in step.facts]
    assert len(values) == 300
    assert set(values) == {1, 2, 3, 4}
    assert all(abs(after - before) <= 1 for before, after in pairwise(values))


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_same_seed_gives_the_same_stream(name):
    workload = WORKLOADS[name]
    parameters = replace(workload.defaults, points=20)
    once, again = list(workload.stream(parameters)), list(workload.stream(parameters))
    assert once == again
    assert len(once) == 20
    kinds = {type(value) for _, facts in once for fact in facts for value in Fact(*fact).args}
    assert kinds <= ({int, Decimal} if name == "aggregate-decimals" else {int})
