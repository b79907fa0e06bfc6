from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.trees import symbols, values
from larspark.language import Fact, parse_fact, parse_program
from larspark.language.simple_atoms import read_simple_atom
from larspark.language.tree import Atom, Constant, Rule

facts = st.builds(Fact, symbols, st.lists(values, max_size=3).map(tuple))


@settings(max_examples=500)
@given(facts)
def test_the_short_way_and_the_grammar_agree(fact: Fact) -> None:
    text = str(fact)
    assert read_simple_atom(text) in (fact, None)
    assert parse_fact(text) == fact
    assert parse_program(f"{text}.").rules == (Rule(Atom(fact.predicate, tuple(map(Constant, fact.args)))),)


@pytest.mark.parametrize("text", ["a", "tram(a1,b)", "p(-1,1.5,a_B)", 'p("two words")'])
def test_common_atoms_take_the_short_way(text: str) -> None:
    assert str(read_simple_atom(text)) == text


@pytest.mark.parametrize("text", ["not", "p(in)", "p(X)", "p()", "p(a", 'p("\\n")', "P", "p(1.)", "p(٣)", ""])
def test_everything_else_is_left_to_the_grammar(text: str) -> None:
    assert read_simple_atom(text) is None
