"""Prospects have times as they came: in texts, JSON and pictures, of evaluations, facts and arguments."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import larspark
from larspark.cli.main import main

EIGHT = datetime(2026, 3, 10, 8, tzinfo=UTC)
SINCE = EIGHT - timedelta(hours=1)
RULES = """
#clock 1 s.
#input hot(machine: text, since: time).
#input fixed(machine: text, when: time).
shutdown(M, S) :- hot(M, S) [3], smoke(M) [1], not fixed(M, S) [2].
"""
OUTLOOK = larspark.Outlook(horizon=2)
ATOM = 'hot(press,"2026-03-10T07:00:00Z")'


Ran = pytest.CaptureFixture[str]


def told(capsys: Ran, *arguments: str) -> str:
    assert main([*arguments]) == 0
    return capsys.readouterr().out


def recorded(folder: Path, rules: str = RULES) -> list[str]:
    stream = [
        {"time": "2026-03-10T08:00:00Z", "atom": ATOM},
        {"time": "2026-03-10T08:00:01Z", "atom": "smoke(press)"},
    ]
    (folder / "rules.lars").write_text(rules, encoding="utf-8")
    (folder / "stream.jsonl").write_text("".join(json.dumps(one) + "\n" for one in stream), encoding="utf-8")
    files = [str(folder / "rules.lars"), "--stream", str(folder / "stream.jsonl")]
    return ["foresee", *files, "--goal", "shutdown(M,S)", "--horizon", "2"]


def test_text(capsys: Ran, tmp_path: Path) -> None:
    lines = told(capsys, *recorded(tmp_path), "--at", "2026-03-10T08:00:01Z").splitlines()
    assert lines[1] == (
        '2026-03-10T08:00:01Z: shutdown(press,"2026-03-10T07:00:00Z") at 2026-03-10T08:00:02Z: '
        f"seen {ATOM} at 2026-03-10T08:00:00Z, smoke(press) at 2026-03-10T08:00:01Z; "
        'needs not fixed(press,"2026-03-10T07:00:00Z") [2] at 2026-03-10T08:00:02Z'
    )
    points = told(capsys, *recorded(tmp_path), "--times", "points")
    assert "shutdown(press,1773126000) at 1773129602" in points
    assert "2026" not in points


def test_json(capsys: Ran, tmp_path: Path) -> None:
    lines = told(capsys, *recorded(tmp_path), "--format", "json").splitlines()
    first, last = (json.loads(line)["answers"] for line in lines)
    assert first[0] == {
        "theta": {"M": "press", "S": "2026-03-10T07:00:00Z"},
        "evidence": [f"@2026-03-10T08:00:00Z {ATOM}"],
        "hypotheses": [
            '@2026-03-10T08:00:01Z not fixed(press,"2026-03-10T07:00:00Z") [2]',
            "@2026-03-10T08:00:01Z smoke(press)",
        ],
        "at": "2026-03-10T08:00:01Z",
    }
    (open_time,) = (one for one in first if "where" in one)
    assert open_time["where"] == {"U": ["2026-03-10T08:00:01Z", "2026-03-10T08:00:02Z"]}
    assert {one["at"] for one in last} == {"2026-03-10T08:00:01Z", "2026-03-10T08:00:02Z", "2026-03-10T08:00:03Z"}


def test_pictures_and_pages(capsys: Ran, tmp_path: Path) -> None:
    svg, page = tmp_path / "last.svg", tmp_path / "page.html"
    assert main([*recorded(tmp_path), "--draw", "--svg", str(svg), "--html", str(page)]) == 0
    drawn, said = capsys.readouterr()
    assert said.splitlines()[-1] == f"wrote {page}: 3 atoms from 2026-03-10T08:00:00Z to 2026-03-10T08:00:01Z"
    assert "08:00:00│ 08:00:01 08:00:02" in drawn
    for text in (drawn, svg.read_text(encoding="utf-8"), page.read_text(encoding="utf-8")):
        assert 'shutdown(press,"2026-03-10T07:00:00Z") at 2026-03-10T08:00:02Z' in text.replace("\\", "").replace(
            "&quot;", '"'
        )
        assert "shutdown(press,1773126000) at" not in text
    assert ">08:00:01</text>" in svg.read_text(encoding="utf-8")


def test_the_last_argument_of_temporal_datalog(capsys: Ran, tmp_path: Path) -> None:
    rules = (
        "#clock 1 s. @(T+1) shutdown(M, S) :- @T hot(M, S), @(T+1) smoke(M). #input hot(machine: text, since: time)."
    )
    (line, *_) = told(capsys, *recorded(tmp_path, rules), "--format", "json").splitlines()
    (answer,) = json.loads(line)["answers"]
    assert answer["evidence"] == ['hot(press,"2026-03-10T07:00:00Z","2026-03-10T08:00:00Z")']
    assert answer["hypotheses"] == ['smoke(press,"2026-03-10T08:00:01Z")']


def test_tick(capsys: Ran, tmp_path: Path) -> None:
    _, rules, _, stream, *_ = recorded(tmp_path)
    out = told(capsys, "tick", "-p", rules, "-i", stream, "--foresee", "shutdown(M,S)", "--horizon", "1")
    expected = '2026-03-10T08:00:01Z? shutdown(press,"2026-03-10T07:00:00Z") at 2026-03-10T08:00:02Z: seen'
    assert any(line.startswith(expected) for line in out.splitlines())


def test_conditions_and_exceptions() -> None:
    rules = """
    #clock 1 s.
    #input hot(machine: text, since: time).
    both(M) :- @T hot(M, A) [2], hot(M, B), A < B.
    """
    found = larspark.foresee(rules, "both(M)", [(EIGHT, ("hot", "press", SINCE))], larspark.Outlook(horizon=1))
    (prospect,) = found[int(EIGHT.timestamp())]
    assert prospect.conditions == ('"2026-03-10T07:00:00Z" < B',)
    assert '"2026-03-10T07:00:00Z" < B' in prospect.text


@pytest.mark.parametrize("recorded_stream", [True, False], ids=["foresee", "Foresight"])
def test_python(recorded_stream: bool) -> None:
    """Values are time points, to go on with; texts and JSON have timestamps."""
    hot = ("hot", "press", SINCE)
    if recorded_stream:
        found = larspark.foresee(RULES, "shutdown(M,S)", [(EIGHT, hot)], OUTLOOK)[int(EIGHT.timestamp())]
    else:
        watched = larspark.Foresight(RULES, "shutdown(M,S)", OUTLOOK, start=int(EIGHT.timestamp()))
        watched.advance(EIGHT, [hot])
        found = watched.prospects()
    assert found[0].theta == {"M": "press", "S": int(SINCE.timestamp())}
    assert found[0].at == int(EIGHT.timestamp()) + 1
    assert found[0].text.startswith('shutdown(press,"2026-03-10T07:00:00Z") at 2026-03-10T08:00:01Z: seen')
    assert found[0].evidence == (f"@2026-03-10T08:00:00Z {ATOM}",)
    assert found[0].as_json()["theta"] == {"M": "press", "S": "2026-03-10T07:00:00Z"}
