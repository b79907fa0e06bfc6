from __future__ import annotations

import io

import pytest

STREAM = """\
{"time": 36, "atom": "tram(a1,b)"}
{"time": 40, "predicate": "tram", "args": ["a3", "h"]}
"""


def test_the_contract_shape_at_one_time_point(larspark, write):
    program = write("p.lars", "@(T+3) exp(Id,m) :- @T tram(Id,h) [5]. seen(Id) :- tram(Id,_) [5].")
    stream = write("s.jsonl", STREAM)
    outcome = larspark("eval", program, "--stream", stream, "--at", 41, "--reasoner", "reference", "--format", "json")
    assert outcome.status == 0
    assert outcome.out == (
        '{"time": 41, "answer_streams": [{"now": ["seen(a1)", "seen(a3)"], "at": {"43": ["exp(a3,m)"]}}]}\n'
    )


def test_every_time_point_of_the_timeline_is_evaluated(larspark, write):
    program = write("p.lars", "b :- a [1].")
    stream = write("s.jsonl", '{"time": 2, "atom": "a"}\n')
    outcome = larspark(
        "eval", program, "--stream", stream, "--timeline", 0, 5, "--reasoner", "reference", "--format", "json"
    )
    assert [(line["time"], line["answer_streams"][0]["now"]) for line in outcome.json] == [
        (0, []), (1, []), (2, ["b"]), (3, ["b"]), (4, []), (5, []),
    ]  # fmt: skip


def test_ticks_evaluate_after_every_arrival_and_count(larspark, write):
    program = write("p.lars", "b(X) :- a(X) [1 #].")
    stream = write("s.jsonl", '{"time": 2, "atom": "a(1)"}\n{"time": 2, "atom": "a(2)"}\n')
    outcome = larspark("eval", program, "--stream", stream, "--ticks", "--reasoner", "reference", "--format", "json")
    assert [(line["time"], line["count"], line["answer_streams"][0]["now"]) for line in outcome.json] == [
        (2, 1, ["b(1)"]),
        (2, 2, ["b(2)"]),
    ]


def test_all_models_or_none(larspark, write):
    stream = write("s.jsonl", '{"time": 0, "atom": "s"}\n')
    choice = write("choice.lars", "a :- s, not b. b :- s, not a.")
    arguments = ("--stream", stream, "--models", "all", "--reasoner", "reference")
    outcome = larspark("eval", choice, *arguments, "--format", "json")
    assert outcome.json == [
        {"time": 0, "answer_streams": [{"now": ["a"], "at": {}}, {"now": ["b"], "at": {}}]},
    ]
    odd = write("odd.lars", "a :- s, not a.")
    assert larspark("eval", odd, *arguments, "--format", "json").json == [{"time": 0, "answer_streams": []}]
    assert larspark("eval", odd, *arguments).out == "0: no answer stream\n"


def test_only_shown_predicates_are_printed(larspark, write):
    program = write("p.lars", "b :- a. c :- b. #show c/0.")
    stream = write("s.jsonl", '{"time": 0, "atom": "a"}\n')
    assert larspark("eval", program, "--stream", stream, "--reasoner", "reference").out == "0: c\n"


def test_background_constants_clock_and_timestamps(larspark, write):
    program = write("p.lars", "#const k = 9. #clock 1 s. near(X) :- place(X), a [k min].")
    stream = write("s.jsonl", '{"time": "2026-01-01T00:10:00Z", "atom": "a"}\n')
    background = write("places.csv", "place\nvienna\n")
    outcome = larspark(
        "eval", program, "--stream", stream, "--background", background, "--const", "k=1",
        "--clock", "1min", "--epoch", "2026-01-01T00:00:00Z", "--timeline", 9, 12, "--reasoner", "reference",
    )  # fmt: skip
    assert outcome.status == 1, "a duration cannot be made of a constant"
    program.write_text("#const k = 9. near(X) :- places(X), a [k].")
    outcome = larspark(
        "eval", program, "--stream", stream, "--background", background, "--const", "k=1",
        "--clock", "1min", "--epoch", "2026-01-01T00:00:00Z", "--timeline", 9, 12, "--reasoner", "reference",
    )  # fmt: skip
    assert outcome.out == "9: -\n10: near(vienna)\n11: near(vienna)\n12: -\n"


def test_standard_input(larspark, write, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"time": 3, "atom": "a"}\n')))
    program = write("p.lars", "b :- a.")
    assert larspark("eval", program, "--stream", "-", "--reasoner", "reference").out == "3: b\n"


@pytest.mark.parametrize(
    ("program", "stream", "code", "line"),
    [
        ("b :- a", '{"time": 0, "atom": "a"}\n', "E104", 1),
        ("b(X) :- a.", '{"time": 0, "atom": "a"}\n', "E201", 1),
        ("b :- a.", '{"time": 0, "atom": "a"}\nnonsense\n', "E401", 2),
        ("b :- a.", '{"time": 0}\n', "E402", 1),
        ("b :- a.", '{"time": -1, "atom": "a"}\n', "E404", 1),
        ("b :- a.", '{"time": 3, "atom": "a"}\n{"time": 2, "atom": "a"}\n', "E405", 2),
        ("b :- a.", '{"time": 0, "atom": "b"}\n', "E409", 1),
        ("b :- a.", '{"time": 0, "atom": "a(1)"}\n', "E410", 1),
    ],
)
def test_bad_input_is_positioned_and_ends_with_status_1(larspark, write, program, stream, code, line):
    path, events = write("p.lars", program), write("s.jsonl", stream)
    outcome = larspark("eval", path, "--stream", events, "--reasoner", "reference", "--format", "json")
    assert (outcome.status, outcome.out) == (1, "")
    assert [(error["code"], error["line"]) for error in outcome.errors] == [(code, line)]
    assert outcome.errors[0]["file"] in (str(path), str(events))


def test_skipped_lines_are_counted_and_shown(larspark, write):
    program = write("p.lars", "b :- a.")
    stream = write("s.jsonl", 'nonsense\n{"time": 0, "atom": "a"}\n{"time": 0, "atom": "b"}\n')
    outcome = larspark("eval", program, "--stream", stream, "--on-error", "skip", "--reasoner", "reference")
    assert (outcome.status, outcome.out) == (0, "0: b\n")
    assert "skipped 2 bad record(s)" in outcome.err
    assert f"{stream}:1:" in outcome.err


def test_missing_files_unknown_reasoner_wrong_usage(larspark, write):
    program, stream = write("p.lars", "b :- a."), write("s.jsonl", "")
    assert larspark("eval", "nowhere.lars", "--stream", stream).status == 1
    assert larspark("eval", program, "--stream", "nowhere.jsonl").status == 1
    unknown = larspark("eval", program, "--stream", stream, "--reasoner", "intervall")
    assert unknown.status == 1
    assert "Did you mean interval?" in unknown.err
    assert larspark("eval", program).status == 2
    assert larspark("evaluate").status == 2
    assert larspark().status == 2


def test_evaluating_before_the_timeline_is_refused(larspark, write):
    program, stream = write("p.lars", "b :- a."), write("s.jsonl", '{"time": 5, "atom": "a"}\n')
    arguments = ("eval", program, "--stream", stream, "--reasoner", "reference")
    assert "E411" in larspark(*arguments, "--at", 3).err
    assert "E411" in larspark(*arguments, "--timeline", 6, 9).err
    assert "E411" in larspark(*arguments, "--timeline", 9, 6).err
