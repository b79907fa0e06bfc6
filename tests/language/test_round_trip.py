from __future__ import annotations

from hypothesis import given, settings

from language.trees import formulas, programs
from larspark.language import parse_formula, parse_program, show
from larspark.language.tree import Formula, Program


@settings(max_examples=400)
@given(programs)
def test_a_printed_program_parses_to_the_same_tree(program: Program) -> None:
    assert parse_program(show(program)) == program


@settings(max_examples=400)
@given(formulas)
def test_a_printed_formula_parses_to_the_same_tree(formula: Formula) -> None:
    assert parse_formula(show(formula)) == formula
