"""Window functions that Python registers: spelled in the language, run by reasoners, refused where they are wrong."""

from __future__ import annotations

import pytest

import larspark
from larspark.language.facts import Fact
from larspark.language.parser import parse_formula
from larspark.language.printing.printer import show
from larspark.language.tree import Atom, RegisteredWindow, Some, Windowed
from larspark.language.windows.selection import Arrival, Selection
from support import registered_windows  # noqa: F401 - they are registered

REASONERS = ("interval", "clingo", "jtms", "answer-update", "reference")


def test_the_spelling() -> None:
    formula = parse_formula('a [multiples(2, x, "Two Words")]')
    assert formula == Windowed(RegisteredWindow("multiples", (2, "x", "Two Words")), Some(Atom("a")))
    assert parse_formula(show(formula)) == formula


@pytest.mark.parametrize("reasoner", REASONERS)
def test_reasoners_run_it(reasoner: str) -> None:
    engine = larspark.Engine("b(X) :- a(X) [multiples(2)] [3].", reasoner)
    found = []
    for time, arriving in enumerate(["a(0)", "a(1)", "a(2)", "c", "c", "c"]):
        engine.advance(time, [arriving])
        (stream,) = engine.answer().answer_streams
        found.append({fact.args[0] for fact in stream.now})
    assert found == [{0}, {0}, {0, 2}, {0, 2}, {2}, {2}]


def test_one_that_is_not_registered() -> None:
    with pytest.raises(larspark.Rejected) as caught:
        larspark.Engine("b :- a [nowhere(1)].")
    assert [(one.code, str(one.origin)) for one in caught.value.diagnostics] == [("E501", "<text>:1:9")]


@pytest.mark.parametrize("name", ["Even", "session", "two words", ""])
def test_names_that_cannot_be_written(name: str) -> None:
    with pytest.raises(ValueError, match="no name for a window"):
        larspark.register_window(name, lambda stream, now: stream)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda stream, now: None,
        lambda stream, now: 1 // 0,
        lambda stream, now: Selection(now, now, [Arrival(now, 0, Fact("z"))]),
        lambda stream, now: Selection(now + 1, now + 5, stream.arrivals),
        lambda stream, now: Selection(stream.first - 1, now, ()),
    ],
)
def test_what_it_returns_is_looked_at(wrong: object) -> None:
    larspark.register_window("wrong", wrong)  # type: ignore[arg-type]
    engine = larspark.Engine("b :- a [wrong()].")
    with pytest.raises(larspark.Rejected) as caught:
        engine.advance(3, ["a"])
    assert [one.code for one in caught.value.diagnostics] == ["E501"]
