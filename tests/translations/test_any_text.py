"""Whatever the text is, it is translated or rejected."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from larspark.diagnostics import Rejected
from larspark.language.parser import parse_program
from larspark.language.printing.printer import show
from larspark.translations.languages import LANGUAGES, language_of, translate

EXAMPLES = Path(__file__).parents[2] / "examples" / "translations"
TEXTS = {
    language: path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.iterdir()) if (language := language_of(path))
}
PIECES = {
    "ltl": ["a", "X", "U", "S", "(", ")", "!", "->", ":=", ".", "p(1,b)", "true", "<->", '"', "%"],
    "cql": ["SELECT", "FROM", "(", ")", "r[ROWS 1]", ",", "a", "*", "WHERE", "NOT", "EXISTS", "=", "'x'", ";", "UNION"],
    "sql": [
        "TABLE(",
        "HOP(",
        "window(ts,",
        "'3 s'",
        ")",
        "INTERVAL '2' SECOND",
        ",",
        "WATERMARK FOR",
        "ts",
        "GROUP BY",
        ";",
    ],
    "etalis": ["a", "<-", "SEQ", "NOT(", ").[", "]", ".", ".3", "X", "(", ")", "WHERE", "<", "5", ","],
    "csparql": ["SELECT", "?x", "{", "}", "<http://a>", "a", "ex:b", '"t"@en', "FILTER", "(", ")", ".", "[NOW]", "-1"],
    "cqels": ["STREAM", "?x", "{", "}", "<http://a>", "<b c>", "^^", '"t"', "OPTIONAL", "(", ")", ".", "[NOW]", "_:x"],
    "prometheus": ["expr:", "- ", "\n", "up", "{", "}", "[5m]", "rate(", ")", "> 1", "by", "'", ":", "or", "|"],
    "sigma": ["type:", "- ", "\n", "---", "{", "}", "[", "]", "1 of", "not", ")", "gte: 1", "'", ":", "them", "|", "*"],
}


@st.composite
def mutations(draw: st.DrawFn, language: str) -> str:
    """An example with a piece of it replaced by others, or nothing but pieces."""
    text = draw(st.sampled_from([TEXTS[language], ""]))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 20)))
    pieces = draw(st.lists(st.one_of(st.sampled_from(PIECES[language]), st.text(max_size=3)), max_size=8))
    return text[:start] + " ".join(pieces) + text[end:]


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_is_translated_or_rejected(language: str) -> None:
    @settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow])
    @given(mutations(language))
    def check(text: str) -> None:
        with contextlib.suppress(Rejected):
            program = translate(language, text, "file").program
            assert parse_program(show(program)).rules == program.rules

    check()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ltl", "x := " + "(" * 5000 + "a" + ")" * 5000 + "."),
        ("ltl", "x := " + "!" * 5000 + "a."),
        ("etalis", "a <- " + "(" * 5000 + "b" + ")" * 5000 + "."),
        ("cql", "CREATE TABLE k (a); SELECT a FROM k WHERE " + "(" * 3000 + "a = 1" + ")" * 3000),
        ("csparql", "SELECT ?x FROM STREAM <http://a> [NOW] WHERE { ?x ?y ?z FILTER(" + "!" * 5000 + "(1 = 1)) }"),
        ("cqels", "SELECT ?x WHERE " + "{" * 5000),
        ("prometheus", "groups: [{rules: [{alert: a, expr: " + "(" * 5000 + "up" + ")" * 5000 + "}]}]"),
        ("prometheus", "groups: " + "[" * 5000),
    ],
)
def test_deep_nesting_is_no_crash(language: str, text: str) -> None:
    with contextlib.suppress(Rejected):
        translate(language, text, "file")
