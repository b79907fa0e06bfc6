"""What `larspark check` says about foresight."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from larspark.cli.main import main

FOLDER = Path(__file__).parents[2] / "examples" / "foresight"

RECURSIVE = """\
#temporal p/2. #temporal e/2. #temporal q/2. #temporal s/2. #temporal r/2.
p(X,T+1) :- p(X,T), e(X,T).
p(X,T)   :- r(X,T).
q(X,T+1) :- e(X,T), not q(X,T).
s(X,T)   :- e(X,T), r(X,U), r(X,U+1).
"""


def checked(capsys: pytest.CaptureFixture[str], program: Path, *options: str, status: int = 0) -> dict[str, Any]:
    assert main(["check", str(program), "--format", "json", *options]) == status
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture
def recursive(tmp_path: Path) -> Path:
    path = tmp_path / "recursive.lars"
    path.write_text(RECURSIVE, encoding="utf-8")
    return path


def test_the_turbines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(FOLDER / "turbines.lars")]) == 0
    assert capsys.readouterr().out.endswith(
        "\nforesight   Temporal Datalog                connected, nonrecursive, T-stratified\n"
        "            cool/1                          delay 0, window 2\n"
        "            flag/1                          delay 0, window 1\n"
        "            malf/1                          delay 2, window 3\n"
        "            shdn/1                          delay 0, window 3\n\n"
    )


def test_recursion_negation_and_loose_times(capsys: pytest.CaptureFixture[str], recursive: Path) -> None:
    found = checked(capsys, recursive)
    foresight = found["foresight"]
    assert found["ok"]
    assert (foresight["connected"], foresight["nonrecursive"]) == (False, False)
    assert foresight["goals"] == [
        {"goal": "p/1", "foreseen": False},
        {"goal": "q/1", "foreseen": True, "delay": 0, "window": None},
        {"goal": "s/1", "foreseen": True, "delay": None, "window": None},
    ]
    assert {"scale": 2, "rank": {"q/1": 0}} in foresight["strata"]
    told = {one["code"]: one for one in found["diagnostics"]}
    assert (told["E545"]["severity"], told["E545"]["line"]) == ("warning", 2)
    assert "p(X,T+1) → p(X,T)" in told["E545"]["message"]
    assert "--bound" in told["E545"]["hint"]
    assert (told["W540"]["severity"], told["W540"]["line"]) == ("warning", 5)
    assert main(["check", str(recursive)]) == 0
    assert "strata in time    q/1 at t in 2t\n" in capsys.readouterr().out


def test_a_goal_that_has_no_end_is_an_error_without_a_bound(
    capsys: pytest.CaptureFixture[str], recursive: Path
) -> None:
    found = checked(capsys, recursive, "--goal", "p(X,T)", status=1)
    assert [one["code"] for one in found["diagnostics"] if one["severity"] == "error"] == ["E545"]
    bounded = checked(capsys, recursive, "--goal", "p(X,T)", "--bound", "3")
    assert bounded["foresight"]["goals"] == [{"goal": "p(X,T)", "foreseen": True, "delay": 0, "window": 4}]


EVEN_LOOP = "@T p(X) :- @T e(X), not @T q(X). @T q(X) :- @T e(X), not @T p(X)."


def test_a_program_that_may_be_meant_as_lars_is_not_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "program.lars"
    path.write_text(EVEN_LOOP, encoding="utf-8")
    found = checked(capsys, path)
    assert "clingo" in found["reasoners"]
    assert ("E547", "note") in {(one["code"], one["severity"]) for one in found["diagnostics"]}


@pytest.mark.parametrize(
    ("program", "goals", "codes"),
    [
        (EVEN_LOOP, ["p(X,T)"], ["E547"]),
        ("#temporal rigid/2. " + EVEN_LOOP, [], ["E547"]),
        ("#temporal p/2. #temporal e/2. p(X,T) :- e(X,T) [5].", [], ["E541"]),
        ("@T p(X) :- @T e(X).", ["q(X,T)", "p(X,T)"], ["E544"]),
        ("a(X) :- b(X) [3 #].", ["a(X)"], ["E552"]),
    ],
)
def test_what_cannot_be_foreseen(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, program: str, goals: list[str], codes: list[str]
) -> None:
    path = tmp_path / "program.lars"
    path.write_text(program, encoding="utf-8")
    found = checked(capsys, path, *(part for goal in goals for part in ("--goal", goal)), status=1)
    assert [one["code"] for one in found["diagnostics"] if one["severity"] == "error"] == codes


def test_lars_is_looked_at_for_goals_only(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = FOLDER / "overheating.lars"
    assert "foresight" not in checked(capsys, path)
    goals = checked(capsys, path, "--goal", "alarm(X)", "--goal", "shutdown(X)")["foresight"]["goals"]
    assert [(one["delay"], one["window"]) for one in goals] == [(0, 6), (0, 3)]
    endless = tmp_path / "endless.lars"
    endless.write_text("p(X) :- e(X) [all].", encoding="utf-8")
    (goal,) = checked(capsys, endless, "--goal", "p(X)")["foresight"]["goals"]
    assert (goal["delay"], goal["window"]) == (0, None)
