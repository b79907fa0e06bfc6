"""Words have one home: what the grammar, the values and the coaching say about them must agree."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from larspark.language import parse_fact, parse_program, show
from larspark.language.build.terms import UNITS
from larspark.language.coaching.directives import USAGE
from larspark.language.facts import Fact
from larspark.language.tree import Duration
from larspark.language.values import RESERVED

GRAMMAR = files("larspark.language").joinpath("grammar.lark").read_text("utf-8")


def test_the_reserved_words_are_those_of_the_grammar() -> None:
    excluded = re.search(r"NAME: /\(\?!\(\?:([a-z|]+)\)", GRAMMAR)
    assert excluded
    assert set(excluded[1].split("|")) == RESERVED


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_reserved_words_are_symbols_in_quotes(word: str) -> None:
    fact = Fact(word, (word,))
    assert str(fact) == f'"{word}"("{word}")'
    assert parse_fact(str(fact)) == fact


def test_the_units_are_those_of_the_grammar() -> None:
    units = re.search(r"UNIT\.3: /\(\?:([a-z|]+)\)", GRAMMAR)
    assert units
    assert set(units[1].split("|")) == set(UNITS)
    assert set(UNITS.values()) == set(Duration.MILLISECONDS)


def test_every_directive_of_the_grammar_has_a_usage_that_parses() -> None:
    assert set(re.findall(r'"(#[a-z]+)"', GRAMMAR)) == set(USAGE)
    for directive, usage in USAGE.items():
        if directive != "#include":
            assert show(parse_program(usage)) == f"{usage}\n"
