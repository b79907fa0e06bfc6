"""The colours of editors come from the grammar, and know every word of every example."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pygments.token import Error, Keyword, Name

from larspark.editor.colours import coloured
from larspark.editor.pygments_lexer import LarsLexer
from larspark.editor.textmate import grammar
from larspark.language.words import words

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").rglob("*.lars"))


def test_the_textmate_grammar_is_that_of_this_version() -> None:
    assert (ROOT / "editors/vscode/syntaxes/lars.tmLanguage.json").read_text() == grammar()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_pygments_knows_every_word_of_the_examples(path: Path) -> None:
    text = path.read_text()
    tokens = list(LarsLexer(stripnl=False).get_tokens(text))
    assert not [value for kind, value in tokens if kind is Error]
    assert "".join(value for _, value in tokens) == text
    assert any(kind in Name.Function for kind, _ in tokens)


def test_the_words_are_those_that_the_grammar_tells_its_readers() -> None:
    text = (ROOT / "src/larspark/language/grammar.lark").read_text()
    told = re.search(r"need quotes as symbols: ([a-z ]+)\.", text)
    assert told is not None
    assert {*words().reserved} == {*told.group(1).split()}
    assert {"hop", "tumbling", "of", "per"} <= {*words().contextual}


@pytest.mark.parametrize("word", words().directives + words().reserved + words().aggregates)
def test_every_word_is_a_keyword_for_pygments(word: str) -> None:
    (kind, value), *_ = LarsLexer().get_tokens(word)
    assert value == word
    assert kind in Keyword or kind in Name.Builtin


def test_every_pattern_is_one_that_both_kinds_of_editors_read() -> None:
    for one in coloured():
        re.compile(one.pattern)
        assert "(?P" not in one.pattern
