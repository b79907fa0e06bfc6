"""What only stands for a part of a rule, as for leaving a choice open, is told nowhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROGRAM = "{ pick(M) : hot(M) } :- on.\ncool(M) :- hot(M), not pick(M).\n"
STREAM = '{"time": 1, "atom": "on"}\n{"time": 1, "atom": "hot(a)"}\n'


@pytest.fixture
def given(write: Callable[[str, str], Path]) -> tuple[Path, Path]:
    return write("p.lars", PROGRAM), write("s.jsonl", STREAM)


@pytest.mark.parametrize("form", ["text", "json"])
def test_check(larspark: Callable[..., Any], given: tuple[Path, Path], form: str) -> None:
    found = larspark("check", given[0], "--format", form)
    assert found.status == 0
    assert "pick/1" in found.out
    assert "#: " not in found.out


@pytest.mark.parametrize("reasoner", ["clingo", "jtms"])
@pytest.mark.parametrize("written", ["none", "inferences"])
def test_tick(larspark: Callable[..., Any], given: tuple[Path, Path], reasoner: str, written: str) -> None:
    program, stream = given
    found = larspark("tick", "-p", program, "-r", reasoner, "-f", written, "-e", "signal", "-i", stream)
    assert found.status == 0
    assert "pick(a)" in found.out or "cool(a)" in found.out
    assert "#: " not in found.out


def test_a_report(larspark: Callable[..., Any], given: tuple[Path, Path], tmp_path: Path) -> None:
    program, stream = given
    page = tmp_path / "page.html"
    assert larspark("eval", program, "--stream", stream, "--reasoner", "clingo", "--html", page).status == 0
    assert "pick/1" in page.read_text()
    assert "#: not" not in page.read_text()


def test_what_the_program_derives(larspark: Callable[..., Any], given: tuple[Path, Path]) -> None:
    program, stream = given
    found = larspark("why", "x(1)", program, "--stream", stream, "--reasoner", "clingo", "--at", 1)
    assert found.status == 1
    assert "The program derives cool/1, pick/1." in found.err
