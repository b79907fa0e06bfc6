"""`Engine.advance` with what is no time, no atom or no value: refused by a diagnostic, and nothing has changed."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from larspark import Engine, evaluate
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact

PROGRAM = "seen(M) :- hot(M) [3]. @T then(M) :- @T hot(M) [2]."
REASONERS = ["interval", "reference", "clingo", "jtms", "answer-update"]

REFUSED: list[tuple[Any, Any, str]] = [
    (2, [Fact("hot", (None,))], "E403"),  # type: ignore[arg-type]
    (2, ["hot(1)", Fact("hot", (float("nan"),))], "E403"),  # type: ignore[arg-type]
    (2, [Fact("hot", (Decimal("Infinity"),))], "E403"),
    (2, [Fact("hot", ("\ud800",))], "E403"),
    (2, [*(Fact("hot", (place,)) for place in range(10)), Fact("hot", ("\ud800",))], "E403"),
    (2, [Fact("hot", ([1],))], "E403"),  # type: ignore[arg-type]
    (2, [3], "E403"),
    (2, "hot(1)", "E403"),
    (2, None, "E403"),
    (2, ["hot(1)", "seen(1)"], "E409"),
    (2, ["hot(1,2)"], "E410"),
    (2.5, ["hot(2)"], "E404"),
    (True, ["hot(2)"], "E404"),
    (None, [], "E402"),
    ("soon", [], "E404"),
    (-1, [], "E404"),
    (1 << 60, [], "E404"),
    (1 << 70, [], "E404"),
    (0, ["hot(2)"], "E405"),
]


@pytest.mark.parametrize("reasoner", REASONERS)
def test_a_refused_call_changes_nothing(reasoner: str) -> None:
    engine, other = Engine(PROGRAM, reasoner), Engine(PROGRAM, reasoner)
    for one in (engine, other):
        one.advance(1, ["hot(1)"])
    for time, atoms, code in REFUSED:
        with pytest.raises(Rejected) as refused:
            engine.advance(time, atoms)
        assert [found.code for found in refused.value.diagnostics] == [code], (time, atoms)
        assert engine.answer() == other.answer(), (time, atoms)
    for time, atoms in ((1, ["hot(2)"]), (3, [])):
        assert engine.advance(time, atoms) == other.advance(time, atoms)
        assert engine.answer() == other.answer()


def test_no_time_is_told_as_such() -> None:
    with pytest.raises(Rejected, match=r"E402: `None` is no time\. Give a time point"):
        Engine(PROGRAM).advance(None)  # type: ignore[arg-type]


def test_values_are_brought_into_their_one_form() -> None:
    engine = Engine("same :- hot(2), hot(yes), hot(2.5).")
    values: list[Any] = [Decimal("2.0"), "yes", 2.5]
    assert engine.advance(0, [Fact("hot", (value,)) for value in values]).appeared == {Fact("same")}


def test_background_does_not_arrive_unless_it_is_declared() -> None:
    engine = Engine("d(X) :- p(X) [3].", background=["p(1)"])
    with pytest.raises(Rejected, match="is background data"):
        engine.advance(0, ["p(2)"])
    both = Engine("#input p/1. d(X) :- p(X) [3].", background=["p(1)"])
    assert both.advance(0, ["p(2)"]).appeared == {Fact("d", (1,)), Fact("d", (2,))}


def test_a_row_of_a_table_without_a_name_is_told() -> None:
    with pytest.raises(Rejected, match=r"^row 2: error E403: `hot\(` is not a ground atom"):
        evaluate(PROGRAM, {"time": [1, 2], "atom": ["hot(1)", "hot("]})
