"""The results of a run know what they are about."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from larspark.diagnostics import Rejected
from larspark.questions.explaining import Case
from larspark.runtime.manifest import InputFile, RunManifest
from larspark.runtime.prepared import prepare
from larspark.runtime.sourced import read_sourced


def manifest(folder: Path) -> RunManifest:
    program, data = folder / "alarms.lars", folder / "hot.csv"
    program.write_text("#const k = 1.\nalarm(M) :- always hot(M) [k], not calm(M).\n")
    data.write_text("at,machine\n" + "".join(f"{time},press\n" for time in range(4)))
    prepared = prepare(program, constants={"k": 2}, background=["calm(saw)"])
    facts = folder / "calm.facts"
    facts.write_text("calm(saw).\n")
    return RunManifest.of(
        str(program), prepared, [InputFile(str(data), columns=("machine",), time="at")], (0, 3), [str(facts)]
    )


def asked(found: RunManifest) -> str:
    prepared = found.prepared()
    stream = read_sourced(found.inputs, prepared)
    (proof,) = Case.of(prepared, stream.arrivals, found.timeline).why("alarm(press)", 3)
    return json.dumps(proof.as_json())


def test_it_comes_back_as_it_was_written(tmp_path: Path) -> None:
    found = manifest(tmp_path)
    found.write(tmp_path)
    again = RunManifest.read(tmp_path)
    assert again == found
    text = asked(again)
    assert all(part in text for part in ('"line": 2', "alarms.lars", '"lines": [[3, 5]]'))


def test_a_program_that_has_changed_since_is_taken_as_it_was(tmp_path: Path) -> None:
    found = manifest(tmp_path)
    (tmp_path / "alarms.lars").write_text("alarm(M) :- cold(M).\n")
    assert "alarms.lars of the run" in asked(found)


def test_what_is_gone_is_told(tmp_path: Path) -> None:
    found = manifest(tmp_path)
    (tmp_path / "hot.csv").unlink()
    for wrong in (lambda: asked(found), lambda: RunManifest.read(tmp_path)):
        with pytest.raises(Rejected) as rejected:
            wrong()
        assert rejected.value.diagnostics[0].code == "E568"


@pytest.mark.parametrize(
    "name", ["jdbc:postgresql://host/plant#readings", "table:readings", 'kafka {"subscribe": "a"}']
)
def test_what_is_no_file_is_told(tmp_path: Path, name: str) -> None:
    found = replace(manifest(tmp_path), inputs=(InputFile(name),))
    with pytest.raises(Rejected, match=f"E568: The input `{re.escape(name)}` of the run is no file"):
        asked(found)


@pytest.mark.parametrize("zone", ["Europe/Vienna", "+02:00", None])
def test_the_zone_of_a_run_is_that_of_its_questions(tmp_path: Path, zone: str | None) -> None:
    program = tmp_path / "hours.lars"
    program.write_text("#clock 1 h. b(H) :- @T a(_), H = hour(T).\n")
    prepared = prepare(program, timezone=zone)
    RunManifest.of(str(program), prepared, [], (0, 3)).write(tmp_path)
    again = RunManifest.read(tmp_path).prepared()
    assert again.calendar == prepared.calendar
