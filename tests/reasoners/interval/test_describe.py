"""The plan as text and as data."""

from __future__ import annotations

import json

from larspark.reasoners.interval.describe import describe
from support.analysed import analysed

PROGRAM = """
q(X,Z) :- p(X,Y) [3], p(Y,Z) [3], X != Z.
r(X) :- q(X,_), not s(X).
n(N) :- N = #count{ X : r(X) }.
"""


def test_joins_name_their_order_and_indexes() -> None:
    described = describe(analysed(PROGRAM))
    text = "\n".join(described.lines())
    assert "when some p/2 [3] changes  (line 2)\n    look up some p/2 [3](Y, Z)\n    if X != Z" in text
    assert "when not now s/1 changes" in text
    assert any(note.name == "some p/2 [3]" and set(note.indexes) == {(0,), (1,)} for note in described.relations)
    assert any(note.name == "r/1" and note.revocable for note in described.relations)


def test_the_description_is_plain_data() -> None:
    value = json.loads(json.dumps(describe(analysed(PROGRAM)).value()))
    assert {"relations", "steps", "operators"} == set(value)
    assert any("aggregate" in line for line in value["operators"])
