from __future__ import annotations

from typing import Any

import pytest

from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.tree import Atom, Constant, Program, Rule
from larspark.translations.etalis.by_arguments import translate
from larspark.translations.etalis.minimal_model import Interval, minimal_model
from larspark.translations.etalis.parser import parse
from larspark.translations.etalis.patterns import EventRule
from larspark.translations.etalis.separability import point_view, separable
from support.translated import judged
from support.vectors import Case, cases


def spelled(rule: dict[str, Any]) -> str:
    """The rule of a vector in the text syntax."""
    first, *rest = rule["args"]
    match rule["op"]:
        case "TIME":
            pattern = first
        case "DUR":
            pattern = f"({first}).{rest[0]}"
        case "WHERE":
            pattern = f"{first} WHERE ({str(rest[0]).lower()})"
        case operator:
            pattern = f"{first} {operator} {rest[0]}"
    return f"{rule['head']} <- {pattern}."


def rules(case: Case) -> tuple[EventRule, ...]:
    return parse("\n".join(map(spelled, case["rules"])))


def events(case: Case) -> list[tuple[int, Fact]]:
    return [(time, Fact(name)) for name, times in case.get("events", {}).items() for time in times]


def given(case: Case) -> dict[Fact, frozenset[Interval]]:
    return {Fact(name): intervals(found) for name, found in case.get("intervals", {}).items()}


def intervals(data: list[list[int]]) -> frozenset[Interval]:
    return frozenset((start, end) for start, end in data)


@pytest.mark.parametrize("case", cases("etalis"), ids=str)
def test_minimal_model(case: Case) -> None:
    model = minimal_model(rules(case), events(case), given(case))
    for name, expected in case["expect"].items():
        assert model.get(Fact(name), frozenset()) == intervals(expected)


@pytest.mark.parametrize("case", cases("etalis"), ids=str)
def test_translation_with_interval_arguments(case: Case) -> None:
    program = translate(rules(case))
    facts = [
        Rule(Atom(f"{fact.predicate}_interval", tuple(map(Constant, interval))))
        for fact, found in given(case).items()
        for interval in found
    ]
    answer = judged(Program((*program.rules, *facts), program.directives), events(case), 9).output(9)
    for name, expected in case["expect"].items():
        assert {fact.args for fact in answer if fact.predicate == f"{name}_interval"} == intervals(expected)


@pytest.mark.parametrize("case", cases("asp", "thesis/etalis"), ids=str)
def test_intervals_as_arguments_stay_apart(case: Case) -> None:
    answer = judged(parse_program("\n".join(case["program"])), [], 0)
    assert [sorted(map(str, answer.output(0)))] == case["expect"]


@pytest.mark.parametrize("case", cases("separable"), ids=str)
def test_separability(case: Case) -> None:
    assert separable(intervals(case["intervals"])) is case["expect"]


@pytest.mark.parametrize("case", cases("point_view"), ids=str)
def test_point_view(case: Case) -> None:
    assert point_view(intervals(case["intervals"])) == [tuple(interval) for interval in case["expect"]]
