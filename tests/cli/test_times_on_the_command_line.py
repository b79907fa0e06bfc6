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
