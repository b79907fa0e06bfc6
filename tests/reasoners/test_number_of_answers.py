"""As many answer streams as are asked for, and no more."""

from __future__ import annotations

import pytest

from larspark.language.facts import Fact
from larspark.reasoners.registry import make_reasoner
from support.analysed import analysed

ONE_OF_THREE = "p(1) :- e, not p(2), not p(3). p(2) :- e, not p(1), not p(3). p(3) :- e, not p(1), not p(2)."


@pytest.mark.parametrize("reasoner", ["reference", "clingo", "answer-update"])
@pytest.mark.parametrize(("models", "found"), [(1, 1), (2, 2), (3, 3), (9, 3), (None, 3)])
def test_number_of_answer_streams(reasoner: str, models: int | None, found: int) -> None:
    made = make_reasoner(reasoner, analysed(ONE_OF_THREE))
    made.advance(0, [Fact("e")])
    streams = made.answer(models).answer_streams
    assert len(streams) == len({stream.now for stream in streams}) == found
