from __future__ import annotations

STREAM = """\
{"time": 36, "atom": "tram(a1,b)"}
{"time": 40, "atom": "tram(a3,h)"}
{"time": 43, "atom": "tram(a3,m)"}
{"time": 45, "atom": "bus(b2,1.5)"}
"""


def test_a_formula_with_variables_lists_its_answers(larspark, write):
    stream = write("s.jsonl", STREAM)
    outcome = larspark("query", "@U tram(A,St) [5]", "--stream", stream, "--at", 45, "--format", "json")
    assert outcome.out == (
        '{"time": 45, "answers": [{"A": "a3", "St": "h", "U": 40}, {"A": "a3", "St": "m", "U": 43}]}\n'
    )
    assert larspark("query", "bus(b2,X)", "--stream", stream, "--at", 45, "--format", "json").json == [
        {"time": 45, "answers": [{"X": 1.5}]}
    ]


def test_a_ground_formula_is_true_or_false(larspark, write):
    stream = write("s.jsonl", STREAM)
    arguments = ("query", "tram(a3,h) [5]", "--stream", stream)
    assert larspark(*arguments, "--at", 45, "--format", "json").out == '{"time": 45, "answer": true}\n'
    assert larspark(*arguments, "--at", 46, "--format", "json").out == '{"time": 46, "answer": false}\n'
    assert larspark(*arguments, "--at", 46).out == "46: no\n"


def test_all_times_looks_at_every_time_point_and_into_the_future(larspark, write):
    stream = write("s.jsonl", STREAM)
    outcome = larspark("query", "tram(_,_) [+2]", "--stream", stream, "--all-times", "--format", "json")
    assert [line["time"] for line in outcome.json if line["answer"]] == [36, 38, 39, 40, 41, 42, 43]
    assert [line["time"] for line in outcome.json] == list(range(36, 46))


def test_a_bad_formula_is_shown_with_a_caret(larspark, write):
    outcome = larspark("query", "tram(a1,S) [5", "--stream", write("s.jsonl", STREAM), "--at", 40)
    assert outcome.status == 1
    assert "1 | tram(a1,S) [5\n    |            ^" in outcome.err


def test_a_time_is_required(larspark, write):
    assert larspark("query", "a", "--stream", write("s.jsonl", STREAM)).status == 2
