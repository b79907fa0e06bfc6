from __future__ import annotations

import json


def test_files_are_laid_out_in_place(larspark, tmp_path):
    path = tmp_path / "a.lars"
    path.write_text("a:-b.")
    assert larspark("fmt", "--check", str(path)).status == 1
    assert path.read_text() == "a:-b."
    assert larspark("fmt", str(path)).status == 0
    assert path.read_text() == "a :- b.\n"
    assert json.loads(larspark("fmt", "--check", str(path), "--format", "json").out) == {"changed": []}


def test_a_bad_program_is_told_and_left_alone(larspark, tmp_path):
    path = tmp_path / "a.lars"
    path.write_text("a:-b")
    outcome = larspark("fmt", str(path))
    assert outcome.status == 1
    assert "E104" in outcome.err
    assert path.read_text() == "a:-b"


def test_every_code_has_a_page(larspark):
    codes = [line.split()[0] for line in larspark("explain").out.splitlines()]
    assert "E404" in codes
    for code in codes:
        outcome = larspark("explain", code.lower())
        assert outcome.status == 0
        assert outcome.out.startswith(f"{code}: ")


def test_an_unknown_code_names_near_ones(larspark):
    outcome = larspark("explain", "E4044")
    assert outcome.status == 1
    assert "E404" in outcome.err
