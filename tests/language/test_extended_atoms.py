"""What a literal says about an atom, read off the tree and put back."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings

from language.trees import formulas
from larspark.analysis.passes.fragments import is_plain_literal
from larspark.analysis.structure.occurrences import occurrences
from larspark.language import parse_formula, show
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom
from larspark.language.tree import Aggregate, Comparison, Formula, Not, TimeWindow, TupleWindow, Variable


def read(text: str) -> ExtendedAtom:
    found = extended_atom(parse_formula(text))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "quantifier", "windows"),
    [
        ("a(X)", Quantifier.NOW, ()),
        ("@T a(X)", Quantifier.AT, ()),
        ("a(X) [5]", Quantifier.SOME, (TimeWindow(5),)),
        ("always a(X) [3 #] [5]", Quantifier.ALWAYS, (TupleWindow(3), TimeWindow(5))),
        ("@T a(X) [5]", Quantifier.AT, (TimeWindow(5),)),
    ],
)
def test_every_form(text: str, quantifier: Quantifier, windows: tuple[object, ...]) -> None:
    positive, negated = read(text), read(f"not {text}")
    assert (positive.quantifier, positive.windows, show(positive.atom)) == (quantifier, windows, "a(X)")
    assert positive.time == (Variable("T") if quantifier is Quantifier.AT else None)
    assert (positive.negated, negated.negated) == (False, True)
    assert positive.canonical == negated.canonical


@pytest.mark.parametrize("text", ["X < 3", "(a or b)", "not (a and b)", "some (a [5]) [3]", "2 < #count{ X : a(X) }"])
def test_other_literals_are_none(text: str) -> None:
    assert extended_atom(parse_formula(text)) is None


@settings(max_examples=300)
@given(formulas)
def test_random_literals(formula: Formula) -> None:
    """They are plain where they should be, come back as they were, and stand where analyses look for atoms."""
    found = extended_atom(formula)
    body = formula.body if isinstance(formula, Not) else formula
    assert is_plain_literal(formula) or found is None
    assert found is not None or not is_plain_literal(formula) or isinstance(body, Comparison | Aggregate)
    if found is not None:
        assert found.formula == body
        assert list(occurrences(formula)) == [found]


def test_what_is_kept_with_a_node_does_not_travel() -> None:
    literal = parse_formula("always a(X) [5]")
    found = extended_atom(literal)
    assert extended_atom(literal) is found
    sent = pickle.loads(pickle.dumps(literal))
    assert sent == literal
    assert vars(sent) == {name: value for name, value in vars(literal).items() if not name.startswith("_")}
    assert extended_atom(sent) == found


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a(X,Y,X) [5]", "a(U,X,U) [5]", True),
        ("a(X,Y,X) [5]", "a(U,X,X) [5]", False),
        ("a(X,_) [5]", "a(X,Y) [5]", False),
        ("@T a(T)", "@S a(S)", True),
        ("@T a(T)", "@T a(X)", False),
    ],
)
def test_the_same_instances(one: str, other: str, same: bool) -> None:
    assert (read(one).canonical == read(other).canonical) is same
