"""`leq(X,Y)` and its like are comparisons, unless the program means a predicate of its own."""

from __future__ import annotations

import pytest

from larspark.analysis import analyse
from larspark.diagnostics import Severity
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_program
from larspark.language.printing.printer import show
from larspark.language.shorthands.relation_predicates import RELATIONS
from larspark.runtime.admission import Admission

MEANINGS = {
    "eq(X,Y)": "X = Y",
    "neq(X,Y)": "X != Y",
    "lt(X,Y)": "X < Y",
    "leq(X,Y)": "X <= Y",
    "gt(X,Y)": "X > Y",
    "geq(X,Y)": "X >= Y",
    "incr(X,Y)": "Y = X + 1",
    "sum(X,Y,Z)": "Z = X + Y",
    "plus(X,Y,Z)": "Z = X + Y",
    "minus(X,Y,Z)": "Z = X - Y",
    "times(X,Y,Z)": "Z = X * Y",
    "divide(X,Y,Z)": "Z = X / Y",
    "modulo(X,Y,Z)": "Z = X \\ Y",
}


def analysed(text: str, *background: Signature) -> str:
    return show(analyse(parse_program(text), background=background).require().program)


def test_every_relation_has_a_meaning() -> None:
    assert {atom.partition("(")[0] for atom in MEANINGS} == {signature.predicate for signature in RELATIONS}


@pytest.mark.parametrize(("atom", "meaning"), MEANINGS.items())
def test_meanings(atom: str, meaning: str) -> None:
    body = "p(X), q(Y), r(Z) [5]"
    for place in (
        "h(X,Y,Z) :- {body}, {it}.",
        "h(X,Y,Z) :- {body}, not {it}.",
        "h(N) :- N = #count{{ X : {body}, {it} }}.",
    ):
        assert analysed(place.format(body=body, it=atom)) == analysed(place.format(body=body, it=meaning))


def test_a_relation_computes() -> None:
    assert analysed("h(Z) :- p(X), sum(X,2,Z).") == analysed("h(Z) :- p(X), Z = X + 2.")


@pytest.mark.parametrize(
    "text",
    [
        "leq(X,Y) :- e(X,Y). h(X) :- p(X), leq(X,3).",
        "leq(1,2). h(X) :- p(X), leq(X,3).",
        "#input leq/2. h(X) :- p(X), leq(X,3).",
        '#background "leq.csv" as leq/2. h(X) :- p(X), leq(X,3).',
        "h(X) :- p(X), leq(X,3) [5].",
        "h(X) :- p(X), @T leq(X,T).",
        "h(X) :- p(X), leq(X,3), leq(X,4) [2].",
        "h(X) :- p(X) [of leq/2, p/1] [1 #], leq(X,3).",
        "h(X) :- p(X), leq(X,3,4).",
    ],
)
def test_predicates_of_its_own(text: str) -> None:
    assert "leq(" in analysed(text)


def test_given_background_is_not_a_relation() -> None:
    assert "leq(X,3)" in analysed("h(X) :- p(X), leq(X,3).", Signature("leq", 2))


def test_the_reading_is_told_once_and_nothing_of_the_name_arrives() -> None:
    analysis = analyse(parse_program("h(X) :- p(X), leq(X,3). g(X) :- p(X), leq(X,5)."))
    (note,) = analysis.diagnostics
    assert (note.code, note.severity, note.message) == ("W208", Severity.NOTE, "`leq(X,3)` is read as `X <= 3`.")
    objection = Admission(analysis).objection(Fact("leq", (1, 2)))
    assert objection is not None
    assert objection.code == "E409"
