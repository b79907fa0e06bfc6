"""Questions between the signals of a running engine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import tick_process

RULES = "alarm(X) :- hot(X) [2], not ok [1]."
LINES = "@3 hot(a)\n? why alarm(a)\n@4 ok\n? why-not alarm(a)\n? why alarm(b)\n? alarm(b)\n? why @1 alarm(a)\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "alarm.lars"
    path.write_text(RULES)
    return path


def test_answers_come_between_the_output(program: Path) -> None:
    done = tick_process.run(program, "--ask", "--time", "input", lines=LINES, reasoner="interval")
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[0] == "3: alarm(a), hot(a)"
    assert said[1] == "alarm(a) holds at 3"
    assert "4: ok" in said
    assert any(line.startswith("alarm(a) does not hold at 4.") for line in said)
    assert any("blocked: by ok at 4" in line for line in said)
    assert any(line.startswith("? why alarm(b): alarm(b) does not hold at 4.") for line in said)
    assert any(line.startswith("? alarm(b): `alarm(b)` is no question.") for line in said)
    assert any(line.startswith("? why @1 alarm(a): What held at 1 is not known any more") for line in said)


def test_answers_as_json(program: Path) -> None:
    done = tick_process.run(program, "--ask", "--time", "input", "--format", "json", lines=LINES, reasoner="interval")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["holds"] for one in said if "holds" in one] == [True, False]
    assert [one["code"] for one in said if "code" in one] == ["E563", "E561", "E566"]


def test_other_reasoners_say_that_they_cannot(program: Path) -> None:
    done = tick_process.run(program, "--ask", "--time", "input", lines=LINES, reasoner="clingo")
    assert done.returncode == 0
    assert "Only the interval reasoner answers questions" in done.stdout


def test_without_ask_a_question_says_what_it_needs(program: Path) -> None:
    done = tick_process.run(program, "--time", "input", lines="@3 hot(a)\n? why alarm(a)\n", reasoner="interval")
    assert "`? why alarm(a)` is a question, not an atom. `larspark tick --ask` answers questions." in done.stderr
