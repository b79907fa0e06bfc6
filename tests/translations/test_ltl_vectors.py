from __future__ import annotations

from typing import Any

import pytest

from larspark.semantics.queries import holds as lars_holds
from larspark.semantics.structures import Structure
from larspark.translations.ltl.formulas import (
    FALSE,
    TRUE,
    LtlAnd,
    LtlImplies,
    LtlNot,
    LtlOr,
    Pltl,
    Proposition,
    Since,
    Until,
    shift,
)
from larspark.translations.ltl.from_lars import Bounds, at_bounds, at_time_point, for_any_stream
from larspark.translations.ltl.paths import holds, path_of
from support.notation import fact
from support.vectors import Case, cases, formula


def pltl(data: Any) -> Pltl:
    """The vectors' notation of PLTL."""
    match data:
        case str():
            return Proposition(fact(data))
        case ["true"]:
            return TRUE
        case ["false"]:
            return FALSE
        case ["X", int(steps), body]:
            return shift(steps, pltl(body))
        case ["not", body]:
            return LtlNot(pltl(body))
        case ["and", *parts]:
            return LtlAnd(tuple(map(pltl, parts)))
        case ["or", *parts]:
            return LtlOr(tuple(map(pltl, parts)))
        case ["implies", left, right]:
            return LtlImplies(pltl(left), pltl(right))
        case ["since", left, right]:
            return Since(pltl(left), pltl(right))
        case ["until", left, right]:
            return Until(pltl(left), pltl(right))
    raise ValueError(f"formula {data}")


@pytest.mark.parametrize("case", cases("pltl_translate"), ids=str)
def test_algorithm_4_1(case: Case) -> None:
    assert at_bounds(formula(case["formula"]), Bounds(*case["bounds"]), case["at"]) == pltl(case["expect"])


@pytest.mark.parametrize("case", cases("pltl_eval"), ids=str)
def test_truth_along_a_path(case: Case) -> None:
    start, end = case["path"]["timeline"]
    content = {time: frozenset(map(fact, atoms)) for time, atoms in case["path"]["facts"].items()}
    assert holds(path_of(start, end, content), case["at"], pltl(case["formula"])) is case["expect"]


@pytest.mark.parametrize("case", cases("pltl_agree"), ids=str)
def test_translation_agrees_with_entailment(case: Case) -> None:
    stream, lars, at = case.stream, formula(case["formula"]), case["at"]
    assert stream.end is not None
    path = path_of(stream.start, stream.end, stream.content)
    assert lars_holds(Structure.of(stream), at, lars) is case["expect"]["lars"]
    assert holds(path, at, at_time_point(lars, (stream.start, stream.end), at)) is case["expect"]["pltl"]
    assert holds(path, at, for_any_stream(lars)) is case["expect"]["pltl"]
