"""`--profile` tells what each rule costs."""

from __future__ import annotations

import json

PROGRAM = """\
hot(M) :- temp(M,V) [5], V > 80.
calm(M) :- temp(M,_) [5], not hot(M).
pair(A,B) :- hot(A), hot(B), A < B.
many(N) :- N = #count{ M : temp(M,_) [5] }, N > 1.
"""
STREAM = [
    {"time": time, "atom": f"temp(m{time % 3},{value})"} for time, value in enumerate([10, 90, 95, 20, 85, 30, 40, 99])
]


def rules(text: str) -> dict[int, dict[str, float]]:
    found = json.loads(text.splitlines()[-1])["profile"]
    places = ((one["rule"].rpartition(":")[2], one) for one in found)
    return {int(line): one for line, one in places if line.isdigit()}


def test_rules_of_an_evaluation(larspark, write) -> None:
    program = write("rules.lars", PROGRAM)
    stream = write("stream.jsonl", "\n".join(map(json.dumps, STREAM)))
    for words in (("eval", program, "--stream", stream), ("tick", "-p", program, "-i", stream, "--time", "input")):
        found = larspark(*words, "--profile", "--format", "json")
        assert found.status == 0, found.err
        costs = rules(found.err)
        assert set(costs) == {1, 2, 3, 4}
        assert all(one["seconds"] > 0 for one in costs.values())
        assert costs[1]["rows"] > 0
        assert costs[2]["rederived"] > 0


def test_other_reasoners_do_not_know(larspark, write) -> None:
    program, stream = write("rules.lars", "a :- b [2]."), write("stream.jsonl", '{"time": 1, "atom": "b"}')
    found = larspark("eval", program, "--stream", stream, "--reasoner", "clingo", "--profile")
    assert found.status != 0
    assert "E509" in found.err
