from __future__ import annotations

import pytest

from larspark.analysis.partitioning.decompose import decompose
from larspark.analysis.partitioning.stages import stages
from larspark.language.printing.printer import show
from support.analysed import analysed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "h(V) :- a(V, L) [5], b(V), not c(L) [2].",
            ['"part:1"(V) :- a(V,L) [5], not c(L) [2].', 'h(V) :- "part:1"(V), b(V).'],
        ),
        (
            '#background "g.csv" as g/2. @(T + D) h(V) :- @T a(V) [5], g(V, D), b(D), D > 3.',
            ['"part:1"(D,V) :- g(V,D), b(D), D > 3.', '@(T+D) h(V) :- "part:1"(D,V), @T a(V) [5].'],
        ),
        # Three parts in a row.
        (
            "h(X) :- a(X, Y), b(Y, Z), c(Z).",
            ['"part:1"(X,Z) :- a(X,Y), b(Y,Z).', 'h(X) :- "part:1"(X,Z), c(Z).'],
        ),
        # What a choice is about stays together; what it depends on does not have to.
        (
            "h(X) | i(X) :- a(X, Y) [2], b(Y), Y > 3.",
            ['"part:1"(X) :- a(X,Y) [2], b(Y), Y > 3.', 'h(X) | i(X) :- "part:1"(X).'],
        ),
        (
            "h(X) :- a(X, Y), b(Y, Z), c(Z), not i(X). i(X) :- a(X, _), not h(X).",
            [
                '"part:1\'"(X,Z) :- a(X,Y), b(Y,Z).',
                '"part:1"(X) :- "part:1\'"(X,Z), c(Z).',
                'h(X) :- "part:1"(X), not i(X).',
                "i(X) :- a(X,_), not h(X).",
            ],
        ),
        # h(X,M) is only possible where a(X,M) holds: there, b(M) and c(X) meet.
        (
            "h(X, M) | i(X, M) :- a(X, M). :- h(X, M), b(M), not i(X, M), c(X), d(X).",
            [
                "h(X,M) | i(X,M) :- a(X,M).",
                '"possible:h"(X,M) :- a(X,M).',
                '"part:2\'"(M,X) :- c(X), d(X), "possible:h"(X,M).',
                '"part:2"(M,X) :- "part:2\'"(M,X), b(M).',
                ':- "part:2"(M,X), h(X,M), not i(X,M).',
            ],
        ),
    ],
)
def test_rules_are_cut_where_the_key_changes(text: str, expected: list[str]) -> None:
    parts = decompose(analysed(text))
    assert [show(rule) for rule in parts.program.rules] == expected
    assert not any(stage.obstacles for stage in stages(parts))
    assert {str(one) for one in parts.shown} <= {"h/1", "i/1", "h/2", "i/2"}


@pytest.mark.parametrize(
    "text",
    [
        "h(X) :- a(X), b(Y), X < Y.",
        "h(X) :- a(X) [3 #], b(X).",
        "h(X) :- a(X), not b(_).",
        "a(X) :- s(X), not b(Y), t(Y). b(X) :- s(X), not a(X).",
    ],
)
def test_what_cannot_be_cut_stays_as_it_is(text: str) -> None:
    analysis = analysed(text)
    assert decompose(analysis) is analysis
