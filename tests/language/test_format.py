"""`larspark fmt`: the tree and the comments stay, laying out twice changes nothing, the examples are laid out."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.trees import programs
from larspark.diagnostics import Rejected
from larspark.language import parse_program, show
from larspark.language.layout import comments
from larspark.language.printing.format import format_program
from larspark.language.source import Source
from larspark.language.tree import Program

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").rglob("*.lars"))

SPACES = ("", " ", "  ", "\t", "\n", "\n\n\n", " % so \n", " /* so\n so */ ", " %* so *% ", " // so\n")


def _comments(text: str) -> list[str]:
    return [text[start:end].rstrip() for start, end in comments(Source("", text))[0]]


@settings(max_examples=100)
@given(programs, st.integers(0, 2**32))
def test_the_tree_and_the_comments_stay(program: Program, seed: int) -> None:
    """Behind signs that no word can merge with stands anything that may stand there."""
    draw = random.Random(seed)

    def spaced(found: re.Match[str]) -> str:
        return found.group() if found.group().startswith('"') else found.group() + draw.choice(SPACES)

    text = re.sub(r'"(?:\\.|[^"\\])*"|:-|[,(\[{;|]', spaced, show(program))
    laid_out = format_program(text)
    assert parse_program(laid_out) == program
    assert _comments(laid_out) == _comments(text)
    assert format_program(laid_out) == laid_out


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_laid_out(path: Path) -> None:
    text = path.read_text()
    assert format_program(text, str(path)) == text


@pytest.mark.parametrize(
    ("typed", "laid_out"),
    [
        ("a:-b,c .", "a :- b, c.\n"),
        ("a( X,Y ):-b( X ,Y )[ 5 s,+1 s ].", "a(X, Y) :- b(X, Y) [5 s, +1 s].\n"),
        ("a :- b,\n c,\nd.\n\n\n\ne.", "a :- b,\n    c,\n    d.\n\ne.\n"),
        ("n(N):-N=#count{X:p(X)[5];Y:q(Y)}.", "n(N) :- N = #count{ X : p(X) [5]; Y : q(Y) }.\n"),
        ("% first\na. % second\n  % third\n b.", "% first\na. % second\n% third\nb.\n"),
        ("a :- % why\nb.", "a :- % why\n    b.\n"),
        ("a(X+1) :- b(X), X-1>2.", "a(X+1) :- b(X), X-1 > 2.\n"),
        ("short  :- a.\nlonger :- b.", "short  :- a.\nlonger :- b.\n"),
        ("", ""),
        ("% alone", "% alone\n"),
    ],
)
def test_what_becomes_of(typed: str, laid_out: str) -> None:
    assert format_program(typed) == laid_out


def test_what_does_not_parse_is_left_alone() -> None:
    with pytest.raises(Rejected):
        format_program("a :- b")
