"""Tests for rules: case files, their failures in words, what they have tried, and cases made from a run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from larspark.translations.languages import PROGRAM_ENDINGS

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAM = "alarm(M) :- always hot(M) [2], not technician(_) [3].\nsiren :- alarm(_) [1].\nnone :- nothing [1].\n"


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.case")), ids=lambda path: path.stem)
def test_the_cases_of_the_examples_pass(larspark, path):
    outcome = larspark("test", path)
    assert outcome.status == 0, outcome.out + outcome.err


def test_every_example_has_cases():
    programs = {path.with_suffix("") for path in EXAMPLES.rglob("*") if path.suffix in PROGRAM_ENDINGS}
    assert programs - {path.with_suffix("") for path in EXAMPLES.rglob("*.case")} == set()


def test_a_folder_of_cases(larspark, write, tmp_path):
    write("rules.lars", PROGRAM)
    for name in ("a", "b"):
        write(f"{name}.case", f"program rules.lars\ncase {name}\n  send 1 hot(press)\n  expect 1 not nothing\n")
    outcome = larspark("test", tmp_path, "--format", "json")
    assert [one["case"] for one in outcome.json] == ["a", "b"]
    (tmp_path / "empty").mkdir()
    outcome = larspark("test", tmp_path / "empty", "--format", "json")
    assert (outcome.status, outcome.errors[-1]["code"]) == (1, "E567")


def test_a_case_sets_constants_and_background(larspark, write):
    write("rules.lars", '#const k = 5.\n#background "gone.csv" as known/1.\nhot(M) :- temp(M,V), V > k, known(M).\n')
    lines = """\
program rules.lars
case as it is
  set known(press)
  send 1 temp(press,7)
  expect 1 hot(press)
case with another limit
  set k = 9
  set known(press)
  send 1 temp(press,7)
  expect 1 not hot(press)
"""
    outcome = larspark("test", write("rules.case", lines))
    assert outcome.status == 0, outcome.out + outcome.err


def test_failures_and_coverage(larspark, write):
    write("rules.lars", PROGRAM)
    lines = """\
program rules.lars
case too early
  send 1..4 hot(press)
  expect 1 not alarm(press)
  expect 3..4 exactly alarm(press)
  expect within 6..9 siren
  expect never alarm(_)
  expect 4 alarm(saw)
"""
    outcome = larspark("test", write("rules.case", lines))
    assert outcome.status == 1
    said = [line.strip() for line in outcome.out.splitlines()]
    assert said[1:] == [
        "line 5: expect 3..4 exactly alarm(press): at 3 there is also siren",
        "line 5: expect 3..4 exactly alarm(press): at 4 there is also siren",
        "line 6: expect within 6..9 siren: it holds siren from 3 to 4",
        "line 7: expect never alarm(_): alarm(press) holds from 3 to 4",
        "line 8: expect 4 alarm(saw): it never holds",
        f"{outcome.out.split(' ')[1].removesuffix('case:')}lars:1 was never blocked",
        f"{outcome.out.split(' ')[1].removesuffix('case:')}lars:3 never fired",
    ]


def test_json(larspark, write):
    write("rules.lars", PROGRAM)
    text = "program rules.lars\ncase one\n  marble hot(press) .xxx\n  send 3 technician(ann)\n  expect 3 not siren\n"
    (found,) = larspark("test", write("rules.case", text), "--format", "json").json
    assert (found["case"], found["ok"], found["failures"]) == ("one", True, [])
    assert [(one["line"], one["fired"], one["blocked"]) for one in found["rules"]] == [
        (1, False, True),
        (2, False, None),
        (3, False, None),
    ]


def test_a_recorded_case_passes(larspark, write):
    write("rules.lars", PROGRAM)
    lines = "".join(f'{{"time": {time}, "atom": "hot(press)"}}\n' for time in (1, 2, 3, 5))
    stream = write("stream.jsonl", lines)
    recorded = larspark("test", "--record", stream.parent / "rules.lars", stream)
    assert recorded.status == 0
    assert "  expect 1 exactly alarm(press), siren" in recorded.out.splitlines()
    assert larspark("test", write("recorded.case", recorded.out)).status == 0
    (stream.parent / "cases").mkdir()
    assert larspark("test", write("cases/recorded.case", recorded.out)).status == 0  # it says where the files are


@pytest.mark.parametrize(
    "text",
    [
        "case a\n",
        "program rules.lars\nsend 3 a\n",
        "program rules.lars\ncase a\n  shout 3\n",
        "program rules.lars\ncase a\n  expect soon a\n",
        "program rules.lars\ncase a\n  send 3 a(\n",
    ],
)
def test_malformed_case_files(larspark, write, text):
    write("rules.lars", PROGRAM)
    outcome = larspark("test", write("rules.case", text), "--format", "json")
    assert (outcome.status, outcome.errors[-1]["code"]) == (1, "E567")


def test_pytest_collects_case_files(write):
    write("rules.lars", PROGRAM)
    text = "program rules.lars\ncase good\n  send 1 hot(press)\n  expect 1 not siren\ncase bad\n  expect 1 siren\n"
    path = write("rules.case", text)
    plugin = ["-p", "no:larspark", "-p", "larspark.cases.pytest_plugin", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *plugin, "-q", "--rootdir", str(path.parent), str(path)]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=path.parent)
    assert outcome.returncode == 1
    assert "1 failed, 1 passed" in outcome.stdout, outcome.stdout + outcome.stderr
    assert "line 6: expect 1 siren: it never holds" in outcome.stdout
