"""Times on the command line: timestamps in, timestamps out."""

from __future__ import annotations

import json

PROGRAM = """#clock 1 min. #input readings(machine: text, celsius: number).
hot(M,C) :- readings(M,C) [2 min], C > 80."""


def test_shapes_of_eval(larspark, write):
    program = write("p.lars", PROGRAM)
    stream = write("readings.csv", "time,machine,celsius\n2026-03-10T08:00:00Z,m1,91\n2026-03-10T08:01:00Z,m1,70\n")
    outcome = larspark("eval", program, "--stream", stream, "--as", "intervals", "--format", "json")
    first = json.loads(outcome.out.splitlines()[0])
    assert first == {
        "from": "2026-03-10T08:00:00Z",
        "to": "2026-03-10T08:01:59.999999Z",
        "atom": "hot(m1,91)",
        "at": None,
    }
    at = larspark("eval", program, "--stream", stream, "--at", "2026-03-10T09:01:00+01:00", "--timezone", "+01:00")
    assert at.out.startswith("2026-03-10T09:01:00+01:00: hot(m1,91)")
    points = larspark("eval", program, "--stream", stream, "--times", "points", "--at", "2026-03-10T08:01:00Z")
    assert points.out.startswith("29552161: hot(m1,91)")


def test_without_data_nothing_is_walked(larspark, write):
    outcome = larspark("eval", write("p.lars", PROGRAM), "--stream", write("s.jsonl", ""), "--at", 1773101768)
    assert outcome.out == "1773101768: -\n"


SINCE = """#clock 1 min. #input readings(machine: text, celsius: number), service(machine: text, due: time).
since(M,T) :- @T readings(M,C) [2 min], C > 80. late(M,D) :- service(M,D) [5 min]. soon(M,D + 1) :- late(M,D)."""
STAMPED = """{"time": "2026-03-10T08:00:00Z", "predicate": "readings", "args": ["m1", 91]}
{"time": "2026-03-10T08:01:00Z", "predicate": "service", "args": ["m1", "2026-03-10T09:30:00Z"]}
"""
LAST = ['late(m1,"2026-03-10T09:30:00Z")', 'since(m1,"2026-03-10T08:00:00Z")', 'soon(m1,"2026-03-10T09:31:00Z")']


def test_times_inside_atoms_leave_as_they_came(larspark, write):
    """As in tables, by the types that `#input` and `@T` give to arguments."""
    program, stream = write("p.lars", SINCE), write("s.jsonl", STAMPED)
    evaluated = ("eval", program, "--stream", stream)
    for words in (evaluated, (*evaluated, "--models", "all"), (*evaluated, "--reasoner", "clingo")):
        assert larspark(*words).out.splitlines()[-1] == "2026-03-10T08:01:00Z: " + ", ".join(LAST)
        (found,) = larspark(*words, "--format", "json").json[-1]["answer_streams"]
        assert found["now"] == LAST
    spans = larspark(*evaluated, "--as", "intervals", "--format", "json").json
    assert sorted(one["atom"] for one in spans) == LAST
    assert larspark(*evaluated, "--as", "changes").out.splitlines()[0].endswith(f": +{LAST[1]}")


def test_times_inside_atoms_at_ticks(larspark, write):
    program, stream = write("p.lars", SINCE), write("s.jsonl", STAMPED)
    for more in ((), ("--profile",)):  # many ticks at once, and one by one
        for kind, expected in (("model", LAST), ("changes", [LAST[0], LAST[2]])):
            words = ("tick", "-p", program, "-i", stream, "--time", "input", "--filter", "inferences", "--print", kind)
            last = larspark(*words, *more).out.splitlines()[-1]
            shown = expected if kind == "model" else [f"+ {one}" for one in expected]
            assert last == "2026-03-10T08:01:00Z: " + ", ".join(shown)
            found = larspark(*words, *more, "--format", "json").json[-1]
            assert found["model" if kind == "model" else "appeared"] == expected


def test_times_that_a_formula_asks_for(larspark, write):
    asked = ("query", "@T readings(M,C) [2]", "--clock", "1 min", "--at", "2026-03-10T08:01:00Z")
    found = larspark(*asked, "--stream", write("s.jsonl", STAMPED))
    assert found.out == '2026-03-10T08:01:00Z: C = 91, M = m1, T = "2026-03-10T08:00:00Z"\n'
    (told,) = larspark(*asked, "--stream", write("s.jsonl", STAMPED), "--format", "json").json[0]["answers"]
    assert told == {"C": 91, "M": "m1", "T": "2026-03-10T08:00:00Z"}


def test_time_points_inside_atoms_stay_points(larspark, write):
    program = write("p.lars", "since(M,T) :- @T readings(M,C) [2].")
    stream = write("s.jsonl", '{"time": 5, "atom": "readings(m1,91)"}\n')
    assert larspark("eval", program, "--stream", stream).out == "5: since(m1,5)\n"
    stamped = write("t.jsonl", STAMPED)
    points = larspark("eval", write("q.lars", SINCE), "--stream", stamped, "--times", "points")
    assert points.out.splitlines()[0] == "29552160: since(m1,29552160)"
