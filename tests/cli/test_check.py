"""`larspark check`, as a user sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from larspark.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "p.lars"


def test_the_page_for_a_program(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(
        '#background "plan.csv" as plan/2.\n'
        "@(T + D) expected(Id, S) :- @T tram(Id, S) [10], plan(S, D).\n"
        "soon(S) :- expected(_, S) [+5], not jam(S) [20].\n"
        "last(X, Y) :- tram(X, Y) [1 #].\n"
    )
    assert main(["check", "p.lars"]) == 0
    assert capsys.readouterr().out == (
        "program     stratified     3 rules\n"
        "\n"
        "predicates  input          jam/1, tram/2\n"
        "            background     plan/2\n"
        "            derived        expected/2, last/2, soon/1\n"
        "\n"
        "strata      1              expected/2, last/2, soon/1\n"
        "\n"
        "reasoners   reference      yes\n"
        "            interval       yes\n"
        "            clingo         yes\n"
        "            jtms           yes\n"
        "            answer-update  yes\n"
        "            spark          yes\n"
        "\n"
        "retention   expected/2     5 time points ahead (line 3)\n"
        "            jam/1          20 time points back (line 3)\n"
        "            tram/2         10 time points back, the latest 1 (line 2)\n"
        "            now only       last/2, soon/1\n"
        "\n"
        "partitions  expected/2     by Id\n"
        "            last/2         one partition: a tuple window counts the whole stream (line 4)\n"
        "            soon/1         by S\n"
        "\n"
    )


def test_a_refusing_reasoner_says_why(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text("a :- not b.\nb :- not a.\n")
    assert main(["check", "p.lars"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "strata      none           negation runs in a cycle" in lines
    assert (
        "            interval       no: negation runs in a cycle: a/0 → not b/0 (p.lars:1:1) → not a/0 (p.lars:2:1)"
        in lines
    )


def test_reasons_are_told_with_the_lines_that_they_are_about(
    program: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("larspark.cli.commands.check.PLAIN_WIDTH", 400)
    counts = "h :- x, (some (c [2 #])) [3].\n"
    program.write_text(f"a | b :- x.\n{counts}\n{counts}")
    assert main(["check", "p.lars"]) == 0
    (told,) = (one for one in capsys.readouterr().out.splitlines() if one.startswith("            clingo"))
    assert "Such a window has no encoding at another time point than the present (lines 2, 4)" in told
    program.write_text("a | b :- x.\n" * 30 + '#include "more.lars".')
    program.with_name("more.lars").write_text("c | d :- y.")
    assert main(["check", "p.lars"]) == 0
    told = capsys.readouterr().out
    assert "no: a disjunctive head asks for a choice (p.lars:1, p.lars:2, " in told
    assert "p.lars:12 and 19 more)" in told


def test_errors_go_to_standard_error_and_set_the_status(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text("a(X) :- not b(X).\n")
    assert main(["check", "p.lars"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("p.lars:1:3: error E201: The variable X is unsafe")


def test_warnings_do_not_reject(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text("a :- b(X).\n")
    assert main(["check", "p.lars"]) == 0
    assert "warning W205" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["a :- b", "a(X) :- not b(X).", "#clock 2 s. a :- b [3 s]."])
def test_json_of_a_rejected_program(text: str, program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(text)
    assert main(["check", "p.lars", "--format", "json"]) == 1
    captured = capsys.readouterr()
    (line,) = captured.out.splitlines()
    report = json.loads(line)
    assert (report["ok"], report["reasoners"]) == (False, [])
    assert [json.loads(error) for error in captured.err.splitlines()] == report["diagnostics"]
    assert set(report["diagnostics"][0]) == {"code", "severity", "message", "hint", "file", "line", "column"}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.lars")), ids=lambda path: path.stem)
def test_json_of_the_examples(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(path), "--format", "json"]) == 0
    captured = capsys.readouterr()
    (line,) = captured.out.splitlines()
    assert list(json.loads(line)) == [
        "ok",
        "fragment",
        "strata",
        "reasoners",
        "retention",
        "partitioning",
        "diagnostics",
    ]
    assert captured.err == ""


def test_another_clock(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text("#clock 1 s. a :- b [3 s].")
    assert main(["check", "p.lars", "--clock", "500ms", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["retention"]["b/0"]["past"] == 6


def test_what_ticker_would_say(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text("a(X) :- b(X) [3 s].")
    assert main(["check", "p.lars", "--compat", "ticker"]) == 0
    assert "note E522" in capsys.readouterr().err


def test_a_missing_file(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "p.lars"]) == 1
    assert "p.lars" in capsys.readouterr().err
