"""The forms of `#say`, and sentences with names in braces."""

from __future__ import annotations

import pytest

from larspark.analysis import analyse
from larspark.editor.outline import outline_of
from larspark.language import parse_program
from larspark.language.facts import Signature
from larspark.language.printing.printer import show, show_meaning
from larspark.language.sentences import filled, placeholders
from larspark.language.tree import Say


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('#say alarm(M) "{M} is hot".', Say(Signature("alarm", 1), ("M",), "{M} is hot")),
        ('#say r(M, _) "{M}".', Say(Signature("r", 2), ("M", "_"), "{M}")),
        ('#say siren "it {{wails}}".', Say(Signature("siren", 0), (), "it {{wails}}")),
        ('#say @T exp(X) "{X} at {T}".', Say(Signature("exp", 1), ("X",), "{X} at {T}", "T")),
        ('#say "Weather Station"(X) "a \\"{X}\\"".', Say(Signature("Weather Station", 1), ("X",), 'a "{X}"')),
    ],
)
def test_forms(text: str, said: Say) -> None:
    program = parse_program(text)
    assert program.directives == (said,)
    assert parse_program(show(program)) == program
    assert not show_meaning(program)


def test_the_time_of_a_temporal_predicate_is_the_time_it_speaks_about() -> None:
    program = analyse(
        parse_program('#temporal cool/2. #say cool(X, T) "{X} at {T}". cool(X, T) :- @T a(X) [3].')
    ).program
    assert program.directives[-1] == Say(Signature("cool", 1), ("X",), "{X} at {T}", "T")


def test_one_sentence_for_a_predicate() -> None:
    found = analyse(parse_program('a(X) :- b(X). #say a(X) "one". #say a(Y) "another".'))
    assert [one.code for one in found.diagnostics] == ["E145"]


def test_words_for_a_predicate_that_nobody_mentions() -> None:
    found = analyse(parse_program('alarm(X) :- b(X). #say alram(X) "{X} is hot".'))
    (warning,) = found.diagnostics
    assert warning.code == "W202"
    assert "did you mean alarm/1" in warning.message


def test_sentences() -> None:
    assert list(placeholders("{A} and {{B}} and {C}")) == ["A", "C"]
    assert filled("{A} and {{B}} and {C}", {"A": "1", "C": "{2}"}) == "1 and {B} and {2}"


def test_editors_show_the_sentence() -> None:
    text = 'alarm(M) :- hot(M).\n#say alarm(M) "{M} is hot".\n'
    found, _ = outline_of(text, "alarms.lars")
    assert found is not None
    assert "Said: “{M} is hot”." in found.about(Signature("alarm", 1))
    assert [one.place.line for one in found.everywhere(Signature("alarm", 1))] == [1, 2]
