"""The predicted factor, counted by hand: 20 rows for going in and out per input predicate, then the rows touched."""

from __future__ import annotations

import pytest

from larspark.analysis.rewrites.optimise import optimise
from larspark.language.parser import parse_program

CASES = {
    # (20 + 3·3 + 1) / (20 + 1 + 1), rounded down
    "one atom under three windows": ("a(X) :- b(X) [1], b(X) [2], b(X) [3].", 1.3),
    # (20 + 2 + 2·2 + 1) / (20 + 2)
    "a join that nothing shown needs": ("#show a/1. a(X) :- b(X,Y). c(X) :- b(X,Y), b(Y,Z).", 1.2),
    # (20 + 2 + 2 + 1.5) / (20 + 1.5): a comparison lets half through
    "two predicates in between": ("#show d/1. a(X) :- b(X) [3]. c(X) :- a(X). d(X) :- c(X), X > 1.", 1.1),
    # both are asked for one value
    "an equality": ("a(X) :- b(X,Y) [3], Y = 7.", 1.0),
    # fewer comparisons look like more rows, yet the same rows pass
    "an implied comparison": ("a(X) :- b(X), X > 1, X > 2.", 1.0),
    "recursion": ("p(X,Y) :- e(X,Y) [3]. p(X,Z) :- p(X,Y), e(Y,Z) [3].", 1.0),
    "nothing arrives": ("a :- 1 < 2.", 1.0),
}


@pytest.mark.parametrize("case", CASES)
def test_the_predicted_factor(case):
    text, expected = CASES[case]
    assert optimise(parse_program(text)).predicted == expected
