from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
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
    times = [f"2026-01-01T00:{minute:02}:00Z" for minute in range(9, 13)]
    answers = ["-", "near(vienna)", "near(vienna)", "-"]
    assert outcome.out.splitlines() == [f"{time}: {one}" for time, one in zip(times, answers, strict=True)]


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


@pytest.mark.parametrize("reasoner", ["interval", "reference", "answer-update"])
def test_conclusions_further_ahead_than_64_bits(larspark, write, reasoner):
    program = write("p.lars", "@(T+9223372036854775807) p :- @T a(_) [3].")
    stream = write("s.csv", "time,atom\n0,a(1)\n1,a(2)\n")
    outcome = larspark("eval", program, "--stream", stream, "--reasoner", reasoner)
    assert outcome.status == 1
    assert "error E411: A rule concludes something for time point" in outcome.err


def test_changes_and_intervals(larspark, write):
    program = write("p.lars", "b(X) :- a(X) [1]. @(T+2) c :- @T a(1) [3].")
    stream = write("s.jsonl", '{"time": 2, "atom": "a(1)"}\n{"time": 3, "atom": "a(\\"two words\\")"}\n')
    arguments = ("eval", program, "--stream", stream, "--timeline", 0, 6)
    for reasoner in ("interval", "clingo"):
        changes = larspark(*arguments, "--as", "changes", "--format", "json", "--reasoner", reasoner).json
        assert changes == [
            {"time": 2, "+": ["b(1)", "@4 c"], "-": []},
            {"time": 3, "+": ['b("two words")'], "-": []},
            {"time": 4, "+": ["c"], "-": ["b(1)", "@4 c"]},
            {"time": 5, "+": ["@4 c"], "-": ['b("two words")', "c"]},
            {"time": 6, "+": [], "-": ["@4 c"]},
        ]
        intervals = larspark(*arguments, "--as", "intervals", "--reasoner", reasoner).out.splitlines()
        assert sorted(intervals) == ["2..3: @4 c", "2..3: b(1)", '3..4: b("two words")', "4: c", "5: @4 c"]


@pytest.mark.parametrize("shape", ["points", "changes", "intervals"])
def test_answers_in_files(larspark, write, tmp_path, shape):
    program = write("p.lars", "b(X) :- a(X) [1].")
    stream = write("s.jsonl", '{"time": 2, "atom": "a(1)"}\n{"time": 3, "atom": "a(\\"x,y\\")"}\n')
    printed = larspark("eval", program, "--stream", stream, "--as", shape, "--format", "json").out
    tables = []
    for ending in ("jsonl", "csv", "parquet"):
        path = tmp_path / f"answers.{ending}"
        assert larspark("eval", program, "--stream", stream, "--as", shape, "--output", path).status == 0
        if ending != "jsonl":
            read = pa.csv.read_csv(path) if ending == "csv" else pa.parquet.read_table(path)
            tables.append(read.drop_columns(["at"]).to_pydict())
    assert (tmp_path / "answers.jsonl").read_text() == printed
    assert tables[0] == tables[1]
    assert 'b("x,y")' in tables[0]["atom"]


def test_a_file_that_cannot_be_written_leaves_what_was_there(larspark, write, tmp_path):
    program, stream = write("p.lars", "b :- a."), write("s.jsonl", '{"time": 2, "atom": "a"}\n')
    outcome = larspark("eval", program, "--stream", stream, "--output", tmp_path / "no" / "answers.csv")
    assert (outcome.status, "E702" in outcome.err) == (1, True)
    outcome = larspark("eval", program, "--stream", stream, "--output", tmp_path / "answers.xls")
    assert (outcome.status, "E408" in outcome.err) == (1, True)
    outcome = larspark("eval", program, "--stream", stream, "--as", "changes", "--ticks")
    assert (outcome.status, "E705" in outcome.err) == (1, True)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".answers")]


def test_an_endless_head_is_refused_with_advice_that_works(larspark, write):
    stream = write("s.jsonl", '{"time": 0, "atom": "a"}\n')
    words = ["--stream", stream, "--timeline", 0, 5, "--at", 0, "--reasoner", "reference"]
    refused = larspark("eval", write("p.lars", "always p :- a."), *words)
    assert "E503" in refused.err
    assert "`always a [5]`" in refused.err
    assert "give the timeline an end" not in refused.err
    assert larspark("eval", write("q.lars", "always p [5] :- a."), *words).out == "0: p\n"


def test_what_is_written_instead_of_or_is_taken_by_the_default_reasoner(larspark, write):
    stream = write("s.jsonl", '{"time": 0, "atom": "b"}\n')
    refused = larspark("eval", write("p.lars", "h :- a or b."), "--stream", stream)
    assert "`h :- a. h :- b.`" in refused.err
    assert larspark("eval", write("q.lars", "h :- a. h :- b."), "--stream", stream).out == "0: h\n"
