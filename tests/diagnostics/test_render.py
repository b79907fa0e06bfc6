from __future__ import annotations

from pathlib import Path

from larspark.diagnostics import Diagnostic, Origin, Severity
from larspark.diagnostics.render import as_json, render_rich, render_text

FOUND = Diagnostic("E115", "The window has no size.", "Say how far it reaches.", Origin("p.lars", 2, 6, 2, 8))
SOURCES = {"p.lars": "% head\na\t:- [].\n"}
TEXT = """p.lars:2:6: error E115: The window has no size.
  2 | a :- [].
    |      ^^
  hint: Say how far it reaches.
"""


def test_text_shows_place_line_caret_message_and_hint() -> None:
    assert render_text([FOUND], SOURCES) == TEXT
    assert render_text([FOUND, FOUND], SOURCES) == f"{TEXT}\n{TEXT}"


def test_colour_changes_no_letter() -> None:
    assert render_rich([FOUND, FOUND], SOURCES).plain == f"{TEXT}\n{TEXT}"


def test_lines_are_read_from_files(tmp_path: Path) -> None:
    file = tmp_path / "p.lars"
    file.write_text(SOURCES["p.lars"], "utf-8")
    found = Diagnostic("E115", "No size.", "", Origin(str(file), 2, 6, 3, 1))
    assert render_text([found]) == f"{file}:2:6: error E115: No size.\n  2 | a :- [].\n    |      ^^^\n"


def test_without_source_or_place_only_the_message_is_shown() -> None:
    warning = Diagnostic("W205", "Once.", severity=Severity.WARNING)
    assert render_text([warning]) == "warning W205: Once.\n"
    assert render_text([FOUND]).splitlines() == [TEXT.splitlines()[0], TEXT.splitlines()[3]]


def test_long_lines_are_cut_around_the_caret() -> None:
    found = Diagnostic("E101", "Here.", "", Origin("p", 1, 1001, 1, 1002))
    shown = render_text([found], {"p": "a" * 1000 + "!" + "b" * 1000}).splitlines()
    assert len(shown[1]) < 180
    assert shown[1][shown[2].index("^")] == "!"


def test_json_has_exactly_the_agreed_keys() -> None:
    place = {"file": "p.lars", "line": 2, "column": 6}
    text = {
        "code": "E115",
        "severity": "error",
        "message": "The window has no size.",
        "hint": "Say how far it reaches.",
    }
    assert as_json(FOUND) == {**text, **place}
    assert as_json(Diagnostic("E115", "x")).keys() == as_json(FOUND).keys()


def test_nothing_is_shown_of_files_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    file.write_bytes(b"PAR1\x15\x04\x00rubbish\n")
    found = Diagnostic("E403", "A cell is empty.", "Fill it.", Origin(str(file), 1, 1, 1, 2))
    assert render_text([found]) == f"{file}:1:1: error E403: A cell is empty.\n  hint: Fill it.\n"
