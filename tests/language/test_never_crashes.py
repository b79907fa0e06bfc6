"""Whatever the text, the parser answers with a tree or with diagnostics that point into the text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.trees import programs
from larspark.diagnostics import Diagnostic, Rejected
from larspark.diagnostics.render import render_text
from larspark.language import parse_duration, parse_fact, parse_file, parse_formula, parse_program, resolve, show
from larspark.language.tree import Program

Parsed = TypeVar("Parsed")

pieces = st.sampled_from(
    [
        *("a", "X", "_", "not", "always", "some", "at", "in", "[", "]", "(", ")", "{", "}", "#count", "#const", "#"),
        *("@", ":-", ".", ",", ";", ":", "|", "=", "<", "->", "-", "+", "*", "%", "%*", "*%", "//", "/*", "*/", '"'),
        *(
            "\\",
            "5",
            "1.5",
            "s",
            "hop",
            "over",
            "tumble",
            "per",
            "of",
            "from",
            "to",
            "input",
            "all",
            "reset",
            "true",
            "now",
            "and",
        ),
        *("\n", " ", "é", "\x00", "\ud800"),
    ]
)


def outcome(parse: Callable[[], Parsed]) -> Parsed | tuple[Diagnostic, ...]:
    """What was parsed, or the diagnostics; every other exception fails the test."""
    try:
        return parse()
    except Rejected as rejected:
        return rejected.diagnostics


def check(text: str) -> None:
    result = outcome(lambda: parse_program(text))
    if isinstance(result, Program):
        assert parse_program(show(result)) == result
        return
    assert result
    lines = text.split("\n")
    for found in result:
        assert found.origin is not None
        assert 1 <= found.origin.line <= len(lines)
        assert 1 <= found.origin.column <= len(lines[found.origin.line - 1]) + 1
        assert found.message.endswith(".")
        assert found.hint
    assert render_text(result, {"<text>": text}).count("hint: ") >= len(result)


@settings(max_examples=400)
@given(st.text())
def test_arbitrary_text(text: str) -> None:
    check(text)


@settings(max_examples=1500)
@given(st.lists(pieces, max_size=30).map(" ".join) | st.lists(pieces, max_size=30).map("".join))
def test_arbitrary_words(text: str) -> None:
    check(text)


@settings(max_examples=300)
@given(programs.map(show), st.data())
def test_mutated_programs(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 5)))
    check(text[:start] + data.draw(pieces | st.just("")) + text[end:])


@settings(max_examples=200)
@given(programs)
def test_resolution(program: Program) -> None:
    result = outcome(lambda: resolve(program))
    assert result
    if isinstance(result, Program):
        assert resolve(result) == result


@pytest.mark.parametrize("parse", [parse_formula, parse_fact, parse_duration])
@settings(max_examples=200)
@given(text=st.lists(pieces, max_size=10).map(" ".join) | st.text(max_size=20))
def test_the_small_parsers(parse: Callable[[str], object], text: str) -> None:
    assert outcome(lambda: parse(text)) != ()


@pytest.mark.parametrize(
    "text",
    [
        "a :- " + "(" * 100_000,
        "a :- " + "(" * 50_000 + "b" + ")" * 50_000 + ".",
        "a :- " + "not " * 50_000 + "b.",
        "a :- b" + " [5]" * 50_000 + ".",
        "a :- X = " + "-" * 50_000 + "1.",
        "a :- X = 1" + "+1" * 50_000 + ".",
        "a :- p(" + "9" * 100_000 + ").",
        "a :- b [" + "9" * 10_000 + " s].",
        "#show p/" + "9" * 1000 + ".",
        "% " * 50_000 + "X % 5",
        "a :- b\n" * 2_000,
    ],
    ids=lambda text: f"{text[:12]}…{len(text)}",
)
def test_huge_texts(text: str) -> None:
    with pytest.raises(Rejected):
        parse_program(text + "\nb :- .c")


def test_a_byte_order_mark_and_carriage_returns_do_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "p.lars"
    file.write_bytes(b"\xef\xbb\xbfa :-\r\n b. % c\r\nd.\r\n")
    assert parse_file(file) == parse_program("a :- b. d.")


def test_bytes_that_are_not_text(tmp_path: Path) -> None:
    file = tmp_path / "p.lars"
    file.write_bytes(b'a.\nb("\xff").')
    with pytest.raises(Rejected) as caught:
        parse_file(file)
    (found,) = caught.value.diagnostics
    assert (found.code, str(found.origin)) == ("E111", f"{file}:2:4")
