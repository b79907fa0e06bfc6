"""What is odd about a program or its data is said once, with what to do."""

from __future__ import annotations

import pytest


def codes(outcome):
    return [one["code"] for one in outcome.errors]


def test_a_wrong_name_is_told_from_both_sides(larspark, write):
    program, stream = write("p.lars", "big(M) :- readings(M,C), C > 80."), write("reading.csv", "time,m,c\n1,a,91\n")
    outcome = larspark("eval", program, "--stream", stream, "--format", "json")
    assert outcome.status == 0
    assert codes(outcome) == ["W410", "W411"]
    assert "Did you mean readings/2?" in outcome.errors[0]["hint"]
    strict = larspark("eval", program, "--stream", stream, "--strict", "--format", "json")
    assert (strict.status, codes(strict)) == (1, ["W410", "W411"])


def test_mixed_comparisons_are_counted(larspark, write):
    program = write("p.lars", "big(M,C) :- readings(M,C), C > 80.")
    rows = 'time,m,c\n1,a,91\n1,b,"91,5"\n1,c,91.5 C\n1,d,70\n'
    outcome = larspark("eval", program, "--stream", write("readings.csv", rows), "--format", "json")
    (found,) = outcome.errors
    assert found["code"] == "W412"
    assert found["message"].startswith("2 of 4 values of argument 2 of readings/2 are texts, and `C > 80` compares")
    assert found["hint"] == "Declare the type, `#input readings(arg1, arg2: number).`"


def test_lengths_and_bounds_that_are_texts_are_counted(larspark, write):
    stream = write("s.csv", "time,atom\n1,a(1)\n1,len(abc)\n2,a(2)\n2,len(3)\n")
    for rule, told in (
        ("q(X) :- @T a(X) [9], len(D) [9], now - T <= D.", "`now-T <= D` compares them with a number"),
        ("q(X) :- @T a(X) [9], len(D) [9], T <= D.", "`T <= D` compares them with a number"),
        ("q(X) :- len(D) [9], a(X) [from D to now].", "`a(X) [from D to now]` wants time points"),
        ("q(X) :- (_,X) = #top{ 2; D : len(D) [9] }, a(_).", "a rank has them beside numbers"),
    ):
        errors = larspark("eval", write("p.lars", rule), "--stream", stream, "--format", "json").errors
        (found,) = (one for one in errors if one["code"] == "W412")
        assert found["message"].startswith(f"1 of 2 values of argument 1 of len/1 are texts, and {told}")


VALUES = 'time,atom\n0,"a(x,5)"\n1,"a(y,z)"\n2,"a(w,7)"\n'


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (
            "s(S) :- S = #sum{ D,X : a(X,D) [5] }.",
            "`S = #sum{ D,X : a(X,D) [5] }` adds them: with a text it has no value",
        ),
        (
            "s(S) :- S = #avg{ D,X : a(X,D) [5] }.",
            "`S = #avg{ D,X : a(X,D) [5] }` adds them: with a text it has no value",
        ),
        (
            "s(S) :- S = #sum{ D*2,X : a(X,D) [5] }.",
            "`D*2` computes with them: with a text it has no value, and the",
        ),
        (
            "p(E) :- a(_,D), E = D + 1.",
            "`D+1` computes with them: with a text it has no value, and the rule does not fire.",
        ),
        ("p(-D) :- a(_,D).", "`-D` computes with them"),
        ("p(2^D) :- a(_,D).", "`2^D` computes with them"),
        ("p(abs(D)) :- a(_,D).", "`abs(D)` computes with them"),
        ("@(T+D) p :- @T a(_,D) [9].", "`T+D` computes with them"),
        ("p(X) :- a(X,D), not a(_,D+1).", "`D+1` computes with them"),
        ("p(P) :- (_,P) = #top{ 2; P : a(_,D) [5], P = D*2 }.", "`D*2` computes with them"),
        ("p(X) :- a(X,D) [from D-1 to now].", "`D-1` computes with them"),
    ],
)
def test_texts_that_are_added_up_or_computed_with_are_counted(larspark, write, rule, told):
    words = ("eval", write("p.lars", rule), "--stream", write("s.csv", VALUES), "--format", "json")
    (found,) = (one for one in larspark(*words).errors if one["code"] == "W412")
    assert found["message"].startswith(f"1 of 3 values of argument 2 of a/2 are texts, and {told}")
    assert found["hint"] == "Declare the type, `#input a(arg1, arg2: number).`"
    assert larspark(*words, "--strict").status == 1


def test_a_comparison_that_may_keep_texts_away_is_told_instead(larspark, write):
    for rule in ("s(S) :- S = #sum{ D,X : a(X,D) [5], D < 9 }.", "p(E) :- a(_,D), E = D + 1, D < 9."):
        outcome = larspark("eval", write("p.lars", rule), "--stream", write("s.csv", VALUES), "--format", "json")
        (found,) = (one for one in outcome.errors if one["code"] == "W412")
        assert "`D < 9` compares them with a number" in found["message"]


def test_texts_in_functions_that_take_texts_are_not_told(larspark, write):
    write("f.py", "def code(text):\n    return len(str(text))\ndef abs(text):\n    return 1\n")
    functions = '#function code/1 from "f.py". #function abs/1 from "f.py". '
    for rule in ("p(code(D)+1) :- a(_,D).", "p(abs(D)) :- a(_,D).", "p(max(D,3)) :- a(_,D).", "p(D) :- a(_,D)."):
        program, stream = write("p.lars", functions + rule), write("s.csv", VALUES)
        outcome = larspark("eval", program, "--stream", stream, "--allow-functions", "--format", "json")
        assert not [one for one in outcome.errors if one["code"] == "W412"]
        assert len(outcome.out.splitlines()) >= 3


def test_a_tick_and_background_tell_what_is_added_up(larspark, write, tmp_path):
    program = write("p.lars", "s(S) :- S = #sum{ D,X : a(X,D) [5] }.")
    stream = write("s.jsonl", '{"time": 1, "atom": "a(x,5)"}\n{"time": 2, "atom": "a(y,z)"}\n')
    told = larspark("tick", "-p", program, "-i", stream, "-o", str(tmp_path / "out")).err
    assert "W412: 1 of 2 values of argument 2 of a/2 are texts, and `S = #sum{ D,X : a(X,D) [5] }` adds them" in told
    program, background = write("q.lars", "q(X,D*2) :- b(X), len(D)."), write("b.lars", "len(abc). len(7).")
    words = ("--stream", write("t.csv", "time,atom\n1,b(1)\n"), "--background", background, "--format", "json")
    (found,) = larspark("eval", program, *words).errors
    assert (found["code"], found["line"], found["column"]) == ("W412", 1, 5)
    assert found["message"].startswith("1 of 2 values of argument 1 of len/1 are texts, and `D*2` computes with them")


def test_lengths_of_background_that_are_texts_are_told_with_their_place(larspark, write):
    program = write("p.lars", "q(X) :- len(D), @T a(X) [60], now - T <= D.")
    stream, background = write("s.csv", "time,atom\n1,a(1)\n"), write("b.lars", "len(abc). len(7).")
    (found,) = larspark("eval", program, "--stream", stream, "--background", background, "--format", "json").errors
    assert (found["code"], found["severity"], found["line"], found["column"]) == ("W412", "warning", 1, 31)
    assert found["message"].startswith("1 of 2 values of argument 1 of len/1 are texts")


def test_lengths_that_the_program_states_as_texts_are_told_with_their_place(larspark, write):
    program = write("p.lars", "#show q/1. len(abc). len(7). q(X) :- len(D), @T a(X) [60], now - T <= D.")
    (found,) = larspark("eval", program, "--stream", write("s.csv", "time,atom\n1,a(1)\n"), "--format", "json").errors
    assert (found["code"], found["severity"], found["line"], found["column"]) == ("W412", "warning", 1, 60)
    assert found["message"].startswith("1 of 2 values of argument 1 of len/1 are texts")


def test_samples_under_always(larspark, write):
    program = write("p.lars", "alarm(M) :- always hot(M) [3].")
    stream = write("s.jsonl", "".join(f'{{"time": {time}, "atom": "hot(a)"}}\n' for time in range(0, 100, 10)))
    (found,) = larspark("eval", program, "--stream", stream, "--format", "json").errors
    assert found["code"] == "W413"
    assert "it arrived at 10 of 91 time points (11 %)" in found["message"]


@pytest.mark.parametrize(
    ("clock", "time", "told"),
    [
        ("1 min", 1773101768, "`#clock 1 s.`"),
        ("1 s", 1773101768, None),
        ("1 s", 1773101768000, "`#clock 1 ms.`"),
        ("1 ms", 1773101768000, None),
        ("1 min", 500, None),
        ("1 min", '"2026-03-10T00:16:08Z"', None),
    ],
)
def test_unix_times_beside_a_clock_that_does_not_fit(larspark, write, clock, time, told):
    program = write("p.lars", f"#clock {clock}. b(X) :- a(X) [10 min].")
    stream = write("s.jsonl", f'{{"time": {time}, "atom": "a(1)"}}\n')
    found = larspark("eval", program, "--stream", stream, "--format", "json").errors
    assert [one["hint"].split(",")[0] for one in found] == ([] if told is None else [f"Write {told}"])


def test_windows_over_conclusions_about_the_present(larspark, write):
    program = write("p.lars", "hot(M) :- r(M,C), C > 80. alarm(M) :- always hot(M) [3].")
    (found,) = larspark("check", program, "--format", "json").json[0]["diagnostics"]
    assert found["code"] == "W209"
    assert "`@T hot(M) :- @T r(M,C) [3], C > 80.`" in found["hint"]
    assert "`#record hot/1.`" in found["hint"]


@pytest.mark.parametrize(
    "text",
    [
        "@T hot(M) :- @T r(M,C) [3], C > 80. alarm(M) :- always hot(M) [3].",
        "#record hot/1. hot(M) :- r(M,C), C > 80. alarm(M) :- always hot(M) [3].",
        "hot(M) :- r(M,C), C > 80. alarm(M) :- hot(M).",
        "alarm(M) :- always r(M) [3].",
    ],
)
def test_the_cures_are_not_warned_about(larspark, write, text):
    found = larspark("check", write("p.lars", text), "--format", "json").json[0]["diagnostics"]
    assert not [one for one in found if one["code"] == "W209"]


def test_a_second_stream_is_refused(larspark, write):
    outcome = larspark("eval", write("p.lars", "b :- a."), "--stream", "one", "--stream", "two")
    assert outcome.status == 2
    assert "--stream is given twice" in outcome.err


RULES = """hot(M)   :- readings(M, C) [3], C > 800.
alarm(M) :- hot(M), not service(M) [30].
cold(M)  :- readings(M, C), C < 70.
cold(M)  :- readings(M, C), C < 0.
gone(M)  :- service(M), not readings(M, _) [3].
late(M)  :- gone(M), readings(M, _).
:- readings(_, C), C > 1000."""
DATA = '{"time": 1, "atom": "readings(a,61)"}\n{"time": 5, "atom": "service(a)"}\n'


def test_rules_that_never_fired(larspark, write):
    """Also beside others of the same predicate; not those that wait for what never was concluded, which are told."""
    program, stream = write("p.lars", RULES), write("s.jsonl", DATA)
    outcome = larspark("eval", program, "--stream", stream, "--format", "json")
    assert [(one["code"], one["line"]) for one in outcome.errors] == [("W415", 1), ("W415", 4), ("W415", 6)]
    assert outcome.errors[2]["message"] == "This rule never fired, though gone/1 and readings/2 were there."
    assert outcome.errors[2]["hint"].startswith(f"`larspark why-not 'late(…)' {program} --stream … --at T`")
    assert {one["severity"] for one in outcome.errors} == {"note"}
    assert not larspark("eval", program, "--stream", stream, "--at", "1", "--format", "json").errors


def test_a_day_without_alarms_is_no_error_and_a_wrong_name_is_one(larspark, write):
    program, stream = write("p.lars", RULES), write("s.jsonl", DATA)
    quiet = larspark("eval", program, "--stream", stream, "--strict")
    assert (quiet.status, "note W415" in quiet.err) == (0, True)
    wrong = larspark("eval", program, "--stream", write("t.jsonl", DATA.replace("service", "servce")), "--strict")
    assert (wrong.status, "error W411" in wrong.err, "W415" in wrong.err) == (1, True, False)


def test_samples_from_which_something_follows_under_always(larspark, write):
    """Many machines together are there at every time point, each of them is not."""
    program = write("p.lars", "@T hot(M) :- @T r(M,C) [9], C > 80. alarm(M) :- always hot(M) [9].")
    rows = "".join(f'{{"time": {time}, "atom": "r(m{time % 10},90)"}}\n' for time in range(200))
    (found,) = larspark(
        "eval", program, "--stream", write("s.jsonl", rows), "--as", "intervals", "--format", "json"
    ).errors
    assert found["code"] == "W413"
    assert "asks for hot/1 at every time point, which follows from r/2" in found["message"]
    assert "each of 10 different ones arrived at 10 % of its time points, on average" in found["message"]
    assert "`#hold r(M, C) per M for 5 min.`" in found["hint"]


def test_held_values_and_what_comes_in_stretches_is_not_sampled(larspark, write):
    sparse = "".join(f'{{"time": {time}, "atom": "hot(a)"}}\n' for time in range(0, 100, 10))
    held = write("held.lars", "#hold hot(M) per M for 10. alarm(M) :- always hot(M) [3].")
    assert not larspark("eval", held, "--stream", write("s.jsonl", sparse), "--format", "json").errors
    dense = "".join(f'{{"time": {time}, "atom": "on(s{time // 10})"}}\n' for time in range(100))
    short = write("short.lars", "alarm(S) :- always on(S) [3].")
    assert not larspark("eval", short, "--stream", write("t.jsonl", dense), "--format", "json").errors


def test_check_looks_at_a_sample(larspark, write):
    program = write("p.lars", "alarm(M) :- always hot(M) [3].")
    stream = write("s.jsonl", "".join(f'{{"time": {time}, "atom": "hot(a)"}}\n' for time in range(0, 100, 10)))
    outcome = larspark("check", program, "--stream", stream, "--format", "json")
    assert (outcome.status, codes(outcome)) == (0, ["W413"])
    assert larspark("check", program, "--stream", stream, "--strict").status == 1


def test_strict_check(larspark, write):
    program = write("p.lars", "hot(M) :- r(M,C), C > 80. alarm(M) :- always hot(M) [3].")
    assert larspark("check", program).status == 0
    strict = larspark("check", program, "--strict")
    assert strict.status == 1
    assert "error W209" in strict.err


def test_tick_tells_at_its_end(larspark, write, tmp_path):
    program, stream = (
        write("p.lars", "big(M) :- readings(M,C), C > 80."),
        write("s.jsonl", '{"time": 1, "atom": "reading(a,91)"}\n'),
    )
    words = ("tick", "-p", program, "-i", stream, "-o", str(tmp_path / "out"))
    told = larspark(*words)
    assert told.status == 0
    assert "W410: 1 atoms of reading/2 arrived, but no rule reads it." in told.err
    assert "W411" in told.err
    assert "W410" not in larspark(*words, "-l", "none").err
    assert larspark(*words, "--strict").status == 1
