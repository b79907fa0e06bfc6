"""Explanations from Python: of a running engine, and of the rows of a result."""

from __future__ import annotations

import pytest

import larspark
from larspark.diagnostics import Rejected

PROGRAM = "alarm(M) :- always hot(M) [2], not technician(_) [3]."


def running(reasoner: str = "interval") -> larspark.Engine:
    engine = larspark.Engine(PROGRAM, reasoner)
    engine.advance(1, ["technician(ann)"])
    for time in (3, 4, 5, 6):
        engine.advance(time, ["hot(press)"])
    return engine


@pytest.mark.parametrize("reasoner", ["interval", "reference", "jtms"])
def test_why_inside_an_engine(reasoner: str) -> None:
    found = running(reasoner).why("alarm(press)")
    assert str(found).splitlines()[0] == "alarm(press) holds at 6"
    assert found.json["span"] == {"from": None, "to": 6}
    assert found.json["ends"]["without_input"] == 7
    assert "<details open" in found._repr_html_()


def test_why_not_inside_an_engine() -> None:
    engine = running()
    engine.advance(7)
    found = engine.why_not("alarm(press)")
    assert found.json["candidates"][0]["literals"][0]["missing"] == [[7, 7]]
    assert found.json["repairs"][0] == {"add": [{"atom": "hot(press)", "at": 7}]}
    assert "What held before is not kept" in str(found)


def test_an_explanation_changes_nothing() -> None:
    asked, other = running(), running()
    asked.why("alarm(press)")
    for engine in (asked, other):
        engine.advance(7, ["hot(press)"])
    assert asked.answer() == other.answer()


def test_what_a_running_engine_cannot_explain() -> None:
    recording = larspark.Engine("a :- e. b :- a [3]. #record a/0.")
    recording.advance(0, ["e"])
    for engine, atom in ((recording, "b"), (running("clingo"), "alarm(press)")):
        with pytest.raises(Rejected) as rejected:
            engine.why(atom)
        assert rejected.value.diagnostics[0].code == "E566"


def test_questions_to_a_running_engine_about_the_past() -> None:
    engine = running()
    for ask in (engine.why, engine.why_not):
        with pytest.raises(Rejected) as rejected:
            ask("@3 alarm(press)")
        assert rejected.value.diagnostics[0].code == "E566"
    assert engine.why("@5 hot(press)").json["holds"]
    due = larspark.Engine("@(T+9) due(X) :- @T begun(X) [20].")
    due.advance(3, ["begun(job)"])
    assert due.why("@12 due(job)").json["question"]["about"] == 12


def test_why_a_row() -> None:
    result = larspark.evaluate(PROGRAM, {"hot": {"time": [3, 4, 5, 6], "machine": ["press"] * 4}})
    (row,) = result.to_pylist()
    found = result.why(row)
    assert found.json["question"] == {"ask": "why", "atom": "alarm(press)", "at": 3}
    assert found.json["nodes"][2]["lines"] == [[1, 1]]
    assert result.why("alarm(press)", at=5).json["span"] == {"from": 3, "to": 5}
    with pytest.raises(Rejected):
        result.why({"machine": "press"})


def test_why_not_a_row() -> None:
    result = larspark.evaluate(PROGRAM, [(3, "hot(press)"), (6, "hot(press)")])
    assert result.why_not("alarm(press)", 6).json["last_held"] == 3


def test_rows_are_named_by_their_tables() -> None:
    data = {"hot": {"time": [3, 4, 5], "m": ["press"] * 3}, "technician": {"time": [1, 5], "name": ["ann", "ben"]}}
    found = larspark.evaluate("alarm(M) :- always hot(M) [2], not technician(ann) [3].", data)
    told = str(found.why("alarm(press)", at=5))
    assert "(hot, lines 1-3)" in told
    assert "the last, technician(ann) at 1 (technician, line 1), left the window at 5" in told
    blocked = larspark.evaluate("alarm(M) :- hot(M), not technician(ben) [3].", data).why_not("alarm(press)", at=5)
    assert "by technician(ben) at 5 (technician, line 2)" in str(blocked)


def test_lines_alone_where_there_is_one_table() -> None:
    found = larspark.evaluate(PROGRAM, [(1, "technician(ann)"), *((time, "hot(press)") for time in (3, 4, 5))])
    assert "technician(ann) at 1 (line 1)" in str(found.why("alarm(press)", at=5))
