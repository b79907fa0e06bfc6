"""One prepared program: from text, file, tree or analysis, with background, functions and calendar."""

from __future__ import annotations

import logging
import pickle
from datetime import UTC, datetime
from pathlib import Path

import pytest

import larspark
from larspark.diagnostics import Diagnostic, Origin, Rejected, Severity
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.language.parser import parse_file, parse_program
from larspark.language.tree import Duration
from larspark.runtime.durations import in_time_points, lateness_in_time_points, positive_duration
from larspark.runtime.prepared import is_file_name, prepare

EXAMPLE = Path(__file__).parents[2] / "examples" / "transport.lars"
FACTS = {"line(a1,l1)", "line(a3,l3)"}


def test_every_form_of_a_program_comes_with_its_background() -> None:
    tree = parse_file(EXAMPLE)
    forms = [EXAMPLE, str(EXAMPLE), tree, larspark.check(EXAMPLE), prepare(EXAMPLE)]
    backgrounds = {prepare(form).background for form in forms}
    assert len(backgrounds) == 1
    assert {str(fact) for fact in backgrounds.pop()} >= FACTS


def test_what_is_given_stands_over_the_program_and_over_what_was_prepared() -> None:
    program = "#clock 1 s. #const k = 2. p(X) :- a(X) [k], b(X)."
    before = prepare(program, background=["b(1)"], constants={"k": 3})
    after = prepare(before, clock="1min", epoch=datetime(2026, 1, 1, tzinfo=UTC), background=[("b", 2)])
    assert after.background == (Fact("b", (1,)), Fact("b", (2,)))
    assert after.calendar == Calendar(datetime(2026, 1, 1, tzinfo=UTC), Duration(1, "min"), given=True)
    assert after.analysis.retention[Fact("a", (1,)).signature].past == 3
    assert prepare(before) is before


def test_a_background_file_may_be_given_in_python(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("x\n1\n2\n")
    assert prepare("p(X) :- b(X).", background=[tmp_path / "b.csv"]).background == (Fact("b", (1,)), Fact("b", (2,)))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("alarms.lars", True),
        ("some folder/ALARMS.LARS", True),
        ("q.cql", True),
        ("p :- q.", False),
        ("p. % as in alarms.lars", False),
        ("p. // as in alarms.lars", False),
        ("p.\nq.lars", False),
        ("", False),
    ],
)
def test_a_text_that_ends_like_a_program_file_names_one(text: str, name: bool) -> None:
    assert is_file_name(text) == name


def test_a_missing_file_is_rejected_and_no_text_of_rules_is_made_of_its_name() -> None:
    with pytest.raises(Rejected, match="E112"):
        prepare("nowhere.lars")


MISSING = '#background "gone.csv" as b/1. p(X) :- a(X), b(X).'


def test_check_describes_what_a_run_rejects() -> None:
    analysis = larspark.check(MISSING)
    assert [(one.code, one.severity) for one in analysis.diagnostics] == [("E406", Severity.WARNING)]
    for run in (lambda: larspark.Engine(MISSING), lambda: larspark.foresee(MISSING, "p(X)", [])):
        with pytest.raises(Rejected, match="E406"):
            run()


@pytest.mark.parametrize(
    "text",
    ["p(X) :- not a(X).", "p :- a [5 ms].", "p :- f(1) > 2.", '#function f/1 from "f.py". p(f(1)) :- a.', MISSING],
)
def test_check_never_raises_for_a_program_that_parses(text: str) -> None:
    assert larspark.check(text).diagnostics
    assert larspark.check(text, allow_functions=True).diagnostics


def test_warnings_are_with_the_engine_and_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "larspark"):
        engine = larspark.Engine("p(X) :- a(X, Y).")
    (warning,) = engine.warnings
    assert warning.code.startswith("W")
    assert caplog.messages == [str(warning)]


def test_a_rejection_says_code_place_and_hint_also_in_another_process() -> None:
    finding = Diagnostic("E201", "X is not safe.", "Bind it.", Origin("p.lars", 3, 5, 3, 6))
    rejected = Rejected([finding, Diagnostic("E202", "No.")])
    assert str(rejected) == "p.lars:3:5: error E201: X is not safe. Bind it.\nerror E202: No."
    again = pickle.loads(pickle.dumps(rejected))
    assert again.diagnostics == rejected.diagnostics


def test_something_else_is_no_program() -> None:
    with pytest.raises(TypeError, match="a program is a text, a Path or a tree, not a int"):
        prepare(3)  # type: ignore[arg-type]


def test_trees_and_texts_mean_the_same() -> None:
    text = "#clock 1 min. p(X) :- always a(X) [2 min]."
    assert prepare(text).program == prepare(parse_program(text)).program


@pytest.mark.parametrize(("text", "milliseconds"), [("1d", 86_400_000), ("250 ms", 250), ("3sec", 3000)])
def test_one_reader_of_durations(text: str, milliseconds: int) -> None:
    assert positive_duration(text).milliseconds == milliseconds


@pytest.mark.parametrize("text", ["0s", "5", "5 days", "", "-1 s"])
def test_what_is_no_length_of_a_time_point(text: str) -> None:
    with pytest.raises(Rejected):
        positive_duration(text)


def test_spans_in_time_points() -> None:
    minutes = Calendar(clock=Duration(1, "min"))
    assert [in_time_points(span, minutes) for span in (3, "3", "90 s", "2 min", Duration(1, "h"))] == [3, 3, 2, 2, 60]
    for wrong in ("soon", -1):
        with pytest.raises(Rejected, match="E611"):
            lateness_in_time_points(wrong, minutes)
