"""Entailment and queries: thesis ch. 3.2.1, Laser, answer update."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from larspark.semantics.entailment import window_depth
from larspark.semantics.queries import answers, holds
from larspark.semantics.structures import Structure
from support.notation import fact
from support.vectors import Case, cases, formula, time_or_variable


def structure(case: Case) -> Structure:
    return Structure.of(case.stream, case.background)


@pytest.mark.parametrize("case", cases("entail"), ids=str)
def test_entail(case: Case) -> None:
    assert holds(structure(case), case["at"], formula(case["formula"])) is case["expect"]


@pytest.mark.parametrize("case", cases("formula"), ids=str)
def test_formulas_at_a_time(case: Case) -> None:
    found = [holds(structure(case), case["t"], formula(one)) for one in case["formulas"]]
    assert found == case["expect"]


@pytest.mark.parametrize("case", cases("window_depth"), ids=str)
def test_window_depth(case: Case) -> None:
    assert window_depth(formula(case["formula"])) == case["expect"]


@pytest.mark.parametrize("case", cases("entail_range"), ids=str)
def test_entail_range(case: Case) -> None:
    start, end = case["stream"]["timeline"]
    query = formula(case["formula"])
    held = [time for time in range(start, end + 1) if holds(structure(case), time, query)]
    assert held == case["expect"]["holds"]


@pytest.mark.parametrize("case", cases("formula_equiv"), ids=str)
def test_formula_equivalence(case: Case) -> None:
    start, end = case["stream"]["timeline"]
    left, right = formula(case["left"]), formula(case["right"])
    equal = {
        time
        for time in range(start, end + 1)
        if holds(structure(case), time, left) is holds(structure(case), time, right)
    }
    expected = case["expect"]
    assert (len(equal) == end - start + 1) is expected["equal_at_all_times"]
    assert equal >= set(expected.get("equal_at", equal))


def test_holds_interval_between_its_borders() -> None:
    (case,) = cases("holds_interval", "papers/answer_update", without=["toth-expire-boundary"])
    first, last = case["stream"]["timeline"]
    for name, (start, end) in case["formulas"].items():
        query = formula(case["ast"][name])
        for time in {first, start - 1, start, (start + end) // 2, end, end + 1, last} & set(range(first, last + 1)):
            assert holds(structure(case), time, query) is (start <= time <= end), (name, time)


def test_holds_interval_at_its_last_point() -> None:
    (case,) = cases("holds_interval", "papers/answer_update", without=["au-ex4-busG"])
    for time, expected in case["expect"].items():
        assert holds(structure(case), time, formula(case["formula"])) is expected


def expected_answers(listed: list[dict[str, Any]]) -> set[frozenset[tuple[str, Any]]]:
    return {frozenset(substitution.items()) for substitution in listed}


@pytest.mark.parametrize("case", cases("query"), ids=str)
def test_query(case: Case) -> None:
    m = replace(structure(case), domain=frozenset(case["constants"]))
    query, at = formula(case["formula"]), time_or_variable(case["at"])
    expected = case["expect"]
    if isinstance(expected, str):
        assert isinstance(at, int)
        assert holds(m, at, query) is (expected == "yes")
        return
    found = answers(m, at, query)
    if isinstance(expected, list):
        assert expected_answers(found) == expected_answers(expected)
        assert len(found) == len(expected)
    else:
        assert len(found) == expected["count"]
        assert expected_answers(expected["contains"]) <= expected_answers(found)
        assert not expected_answers(expected["excludes"]) & expected_answers(found)


def test_answers_come_sorted_by_value() -> None:
    (case,) = [case for case in cases("query") if case.id == "thesis-ex22-q2"]
    assert answers(structure(case), 45, formula(case["formula"])) == [{"St": "h", "U": 40}, {"St": "m", "U": 43}]


def test_background_is_no_part_of_the_stream() -> None:
    case = cases("entail")[0]
    m = Structure.of(case.stream, [fact("p(c)")])
    assert m.stream.count == case.stream.count
