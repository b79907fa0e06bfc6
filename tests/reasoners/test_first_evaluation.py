"""Before its first evaluation a reasoner says the same as all others, and asking it changes nothing."""

from __future__ import annotations

import pytest

from larspark import Engine
from larspark.language.facts import Fact
from larspark.reasoners.protocol import AnswerStream

PROGRAM = "a. b :- not c. c :- x [5]."


@pytest.mark.parametrize("reasoner", ["interval", "clingo", "jtms", "answer-update", "reference"])
@pytest.mark.parametrize("models", [1, None])
def test_nothing_is_answered_before_and_all_of_it_is_new_then(reasoner: str, models: int | None) -> None:
    engine = Engine(PROGRAM, reasoner=reasoner)
    assert engine.answer(models).answer_streams == (AnswerStream(),)
    assert engine.advance(0).appeared == {Fact("a", ()), Fact("b", ())}
    assert len(engine.answer(models).answer_streams) == 1
