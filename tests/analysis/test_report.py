from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import larspark.analysis
from larspark.analysis import analyse
from larspark.analysis.report import as_report, reasons, rejected_report
from larspark.diagnostics import Rejected
from larspark.diagnostics.catalogue import CATALOGUE
from larspark.diagnostics.render import render_text
from larspark.language.parser import parse_file, parse_program
from support.analysed import analysed

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.lars"))
KEYS = ["ok", "fragment", "strata", "reasoners", "retention", "partitioning", "diagnostics"]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_clean(path: Path) -> None:
    analysis = analyse(parse_file(path))
    assert analysis.diagnostics == ()
    assert "clingo" in analysis.reasoners
    assert list(json.loads(json.dumps(as_report(analysis)))) == KEYS


def test_the_report_of_a_small_program() -> None:
    text = "@T hot(S) :- @T temp(S, V) [3], V > 90.\nalarm(S) :- always hot(S) [2], not off(S) [1 # per S].\n"
    assert as_report(analysed(text)) == {
        "ok": True,
        "fragment": "stratified",
        "strata": [["alarm/1", "hot/1"]],
        "reasoners": ["reference", "interval", "clingo", "jtms", "answer-update", "spark"],
        "retention": {
            "alarm/1": {"past": 0, "future": 0, "latest": [], "sessions": [], "rule": None},
            "hot/1": {
                "past": 2,
                "future": 0,
                "latest": [],
                "sessions": [],
                "rule": {"file": "t.lars", "line": 2, "column": 1},
            },
            "off/1": {
                "past": 0,
                "future": 0,
                "latest": [{"count": 1, "per": [1]}],
                "sessions": [],
                "rule": {"file": "t.lars", "line": 2, "column": 1},
            },
            "temp/2": {
                "past": 3,
                "future": 0,
                "latest": [],
                "sessions": [],
                "rule": {"file": "t.lars", "line": 1, "column": 1},
            },
        },
        "partitioning": {
            "stages": [
                {
                    "level": 0,
                    "predicates": ["alarm/1", "hot/1"],
                    "keys": [
                        {"rule": {"file": "t.lars", "line": 1, "column": 1}, "variable": "S"},
                        {"rule": {"file": "t.lars", "line": 2, "column": 1}, "variable": "S"},
                    ],
                    "routes": {"hot/1": 1, "off/1": 1, "temp/2": 1},
                    "one_partition": False,
                    "chooses": False,
                    "because": [],
                },
            ]
        },
        "diagnostics": [],
    }


def test_a_text_that_is_no_program_has_the_same_keys() -> None:
    with pytest.raises(Rejected) as caught:
        parse_program("a :- b", "t.lars")
    report = rejected_report(caught.value.diagnostics)
    assert list(report) == KEYS
    assert not report["ok"]
    assert report["diagnostics"][0]["file"] == "t.lars"


def test_reasons_against_reasoners_are_notes() -> None:
    notes = list(reasons(analysed("a | b :- c.")))
    assert [(note.severity, note.message) for note in notes] == [
        ("note", "Not for interval, answer-update: a disjunctive head asks for a choice.")
    ]
    assert as_report(analysed("a | b :- c."))["diagnostics"][0]["severity"] == "note"


def test_the_stratification_error_in_full() -> None:
    text = "tram(S) :- stop(S), not bus(S).\nlate(S) :- tram(S), jam [20].\nbus(S) :- late(S).\n"
    reason = analysed(text).accepts["interval"]
    cycle = "tram/1 → not bus/1 (t.lars:1:1) → late/1 (t.lars:3:1) → tram/1 (t.lars:2:1)"
    assert render_text(reason, {"t.lars": text}) == (
        f"t.lars:1:1: error E514: Negation runs in a cycle: {cycle}.\n"
        "  1 | tram(S) :- stop(S), not bus(S).\n"
        "    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "  hint: Break the cycle, or use `--reasoner clingo`, which computes all answer streams.\n"
    )


def test_every_code_of_the_analysis_is_explained() -> None:
    folder = Path(larspark.analysis.__file__).parent
    used = {code for file in folder.rglob("*.py") for code in re.findall(r'"([EW]\d{3})"', file.read_text("utf-8"))}
    assert used <= CATALOGUE.keys()
    assert "E514" in used
