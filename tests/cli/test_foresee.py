"""`larspark foresee`: text, JSON per the contract, pictures, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from larspark.cli.main import main

FOLDER = Path(__file__).parents[2] / "examples" / "foresight"
TURBINES = [str(FOLDER / "turbines.lars"), "--goal", "malf(X,T)", "--stream", str(FOLDER / "turbines.jsonl")]
OVERHEATING = [str(FOLDER / "overheating.lars"), "--stream", str(FOLDER / "overheating.jsonl")]


def foresee(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["foresee", *arguments]) == 0
    return capsys.readouterr().out


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert foresee(capsys, *TURBINES) == (
        "0: malf(wt25) at 0: seen temp(wt25,high) at 0; needs temp(wt25,high) at 1, 2\n"
        "1: malf(wt25) at 0: seen temp(wt25,high) at 0, 1; needs temp(wt25,high) at 2\n"
        "1: malf(wt25) at 1: seen temp(wt25,high) at 1; needs temp(wt25,high) at 2, 3\n"
        "1: malf(wt42) at 1: seen temp(wt42,high) at 1; needs temp(wt42,high) at 2, 3\n"
        "2: malf(wt25) at 0: certain; seen temp(wt25,high) at 0 to 2\n"
        "2: malf(wt25) at 1: seen temp(wt25,high) at 1, 2; needs temp(wt25,high) at 3\n"
        "2: malf(wt25) at 2: seen temp(wt25,high) at 2; needs temp(wt25,high) at 3, 4\n"
    )


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    lines = foresee(capsys, *TURBINES, "--format", "json").splitlines()
    first = json.loads(lines[0])
    (answer,) = first["answers"]
    assert first["time"] == 0
    assert answer["theta"] == {"X": "wt25", "T": 0}
    assert answer["evidence"] == ["temp(wt25,high,0)"]
    assert answer["hypotheses"] == ["temp(wt25,high,1)", "temp(wt25,high,2)"]


def test_the_full_atom_is_taken_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    stream = tmp_path / "stream.jsonl"
    stream.write_text('{"time": 0, "atom": "temp(wt25,high,0)"}\n', encoding="utf-8")
    out = foresee(capsys, TURBINES[0], "--goal", "@T malf(X)", "--stream", str(stream))
    assert out == "0: malf(wt25) at 0: seen temp(wt25,high) at 0; needs temp(wt25,high) at 1, 2\n"


@pytest.mark.parametrize(
    "program",
    ["@3 p(k). @T r(X) :- @T p(X).", "#temporal p/2. #temporal r/2. p(k,3). r(X,T) :- p(X,T)."],
)
def test_facts_of_the_program_are_certain_and_closed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, program: str
) -> None:
    file, stream = tmp_path / "facts.lars", tmp_path / "stream.jsonl"
    file.write_text(program, encoding="utf-8")
    stream.write_text('{"time": 0, "atom": "s"}\n', encoding="utf-8")
    asked = [str(file), "--goal", "r(X,T)", "--stream", str(stream)]
    assert foresee(capsys, *asked) == "0: r(k) at 3: certain\n"
    stream.write_text('{"time": 0, "atom": "p(m)"}\n', encoding="utf-8")
    assert main(["foresee", *asked]) == 1
    assert "E551" in capsys.readouterr().err
    file.write_text(f"#input p/{2 if '#temporal' in program else 1}. {program}", encoding="utf-8")
    assert foresee(capsys, *asked) == "0: r(m) at 0: certain; seen p(m) at 0\n0: r(k) at 3: certain\n"


def test_a_fact_pinned_to_a_time_gives_conclusions_at_that_evaluation(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, stream = tmp_path / "facts.lars", tmp_path / "stream.jsonl"
    file.write_text("@3 p(k). r(X) :- p(X).", encoding="utf-8")
    stream.write_text('{"time": 0, "atom": "a"}\n', encoding="utf-8")
    assert foresee(capsys, str(file), "--goal", "r(X)", "--stream", str(stream)) == "0: r(k) at 3: certain\n"


def test_late_facts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    stream = tmp_path / "stream.jsonl"
    late = ["temp(a,high,0)", "temp(a,high,2)", "temp(a,high,1)"]
    stream.write_text("\n".join(json.dumps({"time": 2, "atom": atom}) for atom in late), encoding="utf-8")
    out = foresee(capsys, TURBINES[0], "--goal", "malf(X,0)", "--stream", str(stream), "--delay", "3")
    assert out == "2: malf(a) at 0: certain; seen temp(a,high) at 0 to 2\n"


def test_windows_and_negation(capsys: pytest.CaptureFixture[str]) -> None:
    out = foresee(capsys, *OVERHEATING, "--goal", "alarm(X)", "--horizon", "2", "--at", "3", "--limit", "3")
    assert out == (
        "3: alarm(wt42) at 3: certain; seen hot(wt42) at 3, smoke(wt42) at 2, not inspected(wt42) [5] at 3\n"
        "3: alarm(wt42) at 4: seen hot(wt42) at 3, smoke(wt42) at 2; needs not inspected(wt42) [5] at 4\n"
        "3: alarm(wt25) at 4: seen hot(wt25) at 1; needs smoke(wt25) at 4, not inspected(wt25) [5] at 4\n"
    )


def test_drawing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    out = foresee(
        capsys, *OVERHEATING, "--goal", "shutdown(X)", "--horizon", "6", "--at", "2", "--draw", "--svg", str(picture)
    )
    assert out == (
        "time 2\n"
        "                       1 2│ 3 4\n"
        "◆ shutdown(wt25) at 2  ● ●│\n"
        "◇ shutdown(wt25) at 3  ● ●│ ○\n"
        "◇ shutdown(wt25) at 4    ●│ ○ ○\n"
        "● seen  ○ needed  · at one of these  │ now\n\n"
    )
    svg = picture.read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert svg.count("<circle") == 8


def test_the_picture_of_the_documentation(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "turbines.svg"
    foresee(capsys, *TURBINES, "--at", "1", "--svg", str(picture))
    assert picture.read_text(encoding="utf-8") == (FOLDER / "turbines.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("program", "goal", "code"),
    [
        ("@T p(X) :- @T e(X).", "q(X,T)", "E544"),
        ("@(T+1) p(X) :- @T p(X). @T p(X) :- @T e(X).", "p(X,T)", "E545"),
        ("p(X) :- e(X) [3 #].", "p(X)", "E552"),
        ("@T p(X) :- @T e(X).", "not p(X,T)", "E553"),
        ("@T p(a) :- @T e(X).", "p(b,T)", "E544"),
        ("p(X) :- @T e(X) [3], T > now.", "p(X)", "E544"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], tmp_path: Path, program: str, goal: str, code: str) -> None:
    file, stream = tmp_path / "program.lars", tmp_path / "stream.jsonl"
    file.write_text(program, encoding="utf-8")
    stream.write_text('{"time": 0, "atom": "e(a)"}\n', encoding="utf-8")
    arguments = [str(file), "--goal", goal, "--stream", str(stream), "--format", "json"]
    assert main(["foresee", *arguments]) == 1
    assert json.loads(capsys.readouterr().err.splitlines()[0])["code"] == code


def test_facts_that_cannot_be_taken_are_placed_at_their_record(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    stream = tmp_path / "stream.jsonl"
    atoms = ["temp(a,high,3)", "temp(a,high,9)", "flag(a)", "temp(a,high)"]
    stream.write_text("\n".join(json.dumps({"time": 5, "atom": atom}) for atom in atoms), encoding="utf-8")
    arguments = ["foresee", TURBINES[0], "--goal", "malf(X,T)", "--stream", str(stream), "--format", "json"]
    assert main(arguments) == 1
    assert json.loads(capsys.readouterr().err)["code"] == "E549"
    assert main([*arguments, "--on-error", "skip"]) == 0
    found = capsys.readouterr()
    told = [(one["code"], one["line"]) for one in map(json.loads, found.err.splitlines())]
    assert told == [("E549", 1), ("E550", 2), ("E551", 3)]
    assert [answer["at"] for answer in json.loads(found.out)["answers"]] == [5]
    assert main([*arguments, "--on-error", "skip", "--delay", "3"]) == 0
    assert [answer["at"] for answer in json.loads(capsys.readouterr().out)["answers"]] == [3, 4, 5]
