"""Dates where only numbers can stand."""

from __future__ import annotations

import pytest

from larspark.analysis.pipeline import analyse
from larspark.language.parser import parse_program


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "b(X) :- @T a(X) [3], T > 2026-03-10.",
            "`2026-03-10` is no date",
            '`date(T) > "2026-03-10"`',
        ),
        ('@"2026-03-10T08:00:00Z" b(X) :- a(X).', "Nothing is ever at", 'date(T) = "2026-03-10"'),
        ('b(X) :- @"2026-03-10T08:00:00Z" a(X) [3].', "Nothing is ever at", 'date(T) = "2026-03-10"'),
    ],
)
def test_they_are_told(text: str, message: str, hint: str) -> None:
    (found,) = [one for one in analyse(parse_program(text)).diagnostics if one.code == "W211"]
    assert message in found.message
    assert hint in found.hint


@pytest.mark.parametrize("text", ["b(X) :- a(X), X > 99 - 3 - 10.", "b(X) :- a(X), X > 2026 - 3.", "b(X) :- @5 a(X)."])
def test_numbers_are_numbers(text: str) -> None:
    assert not [one for one in analyse(parse_program(text)).diagnostics if one.code == "W211"]
