"""`larspark tick --foresee`: real processes, real sockets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.tick_process import connect, free_port, primed, run, running

FOLDER = Path(__file__).parents[2] / "examples" / "foresight"
TURBINES = FOLDER / "turbines.lars"
PUBLISHED = """
    #temporal flag/2. #temporal cool/2. #temporal temp/3.
    flag(X,T) :- temp(X,high,T).
    cool(X,T+1) :- flag(X,T), flag(X,T+1).
"""


@pytest.fixture
def overheating(tmp_path: Path) -> Path:
    path = tmp_path / "overheating.lars"
    path.write_text("shutdown(X) :- always hot(X) [1]. alarm(X) :- shutdown(X), not seen(X).", encoding="utf-8")
    return path


def test_prospects_are_written_with_the_model() -> None:
    done = run(TURBINES, "-e", "time", "-f", "shdn", "--foresee", "malf(X,T)", "--limit", "2", lines=TURBINE_LINES)
    assert done.stdout.splitlines() == [
        "1: -",
        "1? malf(wt25) at 0: seen temp(wt25,high) at 0, 1; needs temp(wt25,high) at 2",
        "1? malf(wt25) at 1: seen temp(wt25,high) at 1; needs temp(wt25,high) at 2, 3",
        "2: shdn(wt25)",
        "2? malf(wt25) at 0: certain; seen temp(wt25,high) at 0 to 2",
        "2? malf(wt25) at 1: seen temp(wt25,high) at 1, 2; needs temp(wt25,high) at 3",
        "3: -",
    ]


TURBINE_LINES = "@0 temp(wt25,high)\n@1 temp(wt25,high)\n@2 temp(wt25,high)\n@3 temp(wt25,low)\n"


def test_a_change_of_prospects_is_a_change(overheating: Path) -> None:
    """The present time point is open: what it lacks may still come, and what rests on `not` is not certain yet."""
    lines = "@5 hot(a)\n@6 hot(a); seen(a)\n@7 other\n@90 other\n"
    done = run(overheating, "-f", "alarm", "--foresee", "alarm(X)", "--horizon", "1", "--start", "0", lines=lines)
    assert done.stdout.splitlines() == [
        "5: -",
        "5? alarm(a) at 6: seen hot(a) at 5; needs hot(a) at 6, not seen(a) at 6",
        "6: alarm(a)",
        "6? alarm(a) at 6: seen hot(a) at 5, 6; needs not seen(a) at 6",
        "6? alarm(a) at 7: seen hot(a) at 6; needs hot(a) at 7, not seen(a) at 7",
        "6: -",
        "6? alarm(a) at 7: seen hot(a) at 6; needs hot(a) at 7, not seen(a) at 7",
        "8: -",
    ]


def test_changes_and_json(overheating: Path) -> None:
    lines = "@5 hot(a)\n@6 hot(a)\n"
    options = ("-e", "time", "-f", "alarm", "--foresee", "shutdown(X)", "--foresee", "alarm(X)", "--horizon", "1")
    done = run(overheating, *options, "--start", "4", "--print", "changes", "--format", "json", lines=lines)
    first, second = map(json.loads, done.stdout.splitlines())
    one = {"theta": {"X": "a"}, "evidence": ["@5 hot(a)"], "hypotheses": ["@6 hot(a)"], "at": 6}
    assert first["foreseen"][0] == {"goal": "shutdown(X)", "appeared": [one], "disappeared": []}
    assert second["foreseen"][0]["disappeared"] == [one]
    assert second["appeared"] == ["alarm(a)"]
    assert [answer["hypotheses"] for answer in second["foreseen"][1]["appeared"]] == [
        [],
        ["@7 hot(a)", "@7 not seen(a)"],
    ]


def test_the_published_spelling_and_full_atoms(tmp_path: Path) -> None:
    path = tmp_path / "published.lars"
    path.write_text(PUBLISHED, encoding="utf-8")
    lines = '@3 temp(a,high)\n{"time": 4, "atom": "temp(a,high,4)"}\n@5 temp(a,high,7)\n@5 temp(a,high,2)\n'
    done = run(path, "-e", "signal", "-f", "cool", "--foresee", "cool(X,T)", lines=lines)
    assert done.stdout.splitlines() == [
        "3: -",
        "3? cool(a) at 4: seen temp(a,high) at 3; needs temp(a,high) at 4",
        "4: cool(a)",
        "4? cool(a) at 4: certain; seen temp(a,high) at 3, 4",
        "4? cool(a) at 5: seen temp(a,high) at 4; needs temp(a,high) at 5",
    ]
    assert "temp(a,high,7) is about time 7, which lies after the current time 5" in done.stderr
    assert "temp(a,high,2) is about time 2, but everything up to 4 is already closed" in done.stderr


def test_over_sockets() -> None:
    source, sink = free_port(), free_port()
    options = ("-i", f"socket:{source}", "-o", f"socket:{sink}", "--once", "--time", "input", "--format", "json")
    with running(TURBINES, *options, "-e", "signal", "--foresee", "shdn(X,T)") as process:
        with connect(sink) as reader, connect(source) as writer, reader.makefile() as lines:
            primed(writer, reader)
            for time in range(3):
                writer.sendall(f"@{time} temp(wt25,high)\n".encode())
                found = next(line for line in map(json.loads, lines) if "temp(wt25,high)" in line["model"])
                (foreseen,) = found["foreseen"]
                answers = {answer["theta"]["T"]: answer for answer in foreseen["answers"]}
                assert found["time"] == time
                assert foreseen["goal"] == "shdn(X,T)"
                assert sorted(answers) == list(range(2, time + 3))
                assert answers[2]["evidence"] == [f"temp(wt25,high,{t})" for t in range(time + 1)]
                assert answers[2]["hypotheses"] == [f"temp(wt25,high,{t})" for t in range(time + 1, 3)]
        assert process.wait(30) == 0


def test_by_the_wall_clock_a_prospect_goes_when_its_hypothesis_is_violated(overheating: Path) -> None:
    options = ("-c", "200ms", "-f", "alarm", "--foresee", "shutdown(X)", "--horizon", "1", "--format", "json")
    with running(overheating, *options, "--time", "wall") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("other\nhot(a)\n")
        process.stdin.flush()
        found = [json.loads(process.stdout.readline())]
        while found[-1]["foreseen"][0]["answers"]:
            found.append(json.loads(process.stdout.readline()))
    assert found[-1]["time"] == found[0]["time"] + 2


def test_a_goal_that_cannot_be_foreseen_is_refused_before_anything_runs(overheating: Path) -> None:
    done = run(overheating, "--foresee", "fire(X)")
    assert done.returncode == 1
    assert "No rule derives the goal" in done.stderr
