"""Times as they came, and atoms in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

import larspark
from larspark.cli.main import main
from larspark.explain.faces.face import why_explanation
from larspark.explain.proofs.proof import fingerprint
from larspark.explain.verification.verify import verify
from larspark.language.calendar import Calendar, TimeForm
from larspark.language.parser import parse_program
from larspark.language.tree import Duration
from larspark.write.times import TimeWriter
from support.explained import case

PROGRAM = """\
#clock 1 min.
#input hot(machine).
#say alarm(M) "machine {M} is too hot".
#say @T due(M) "{M} is due at {T}".
alarm(M)     :- always hot(M) [2].
@(T+2) due(M) :- @T hot(M) [2].
since(M,T)   :- @T hot(M) [2], T < now.
"""
STREAM = """\
{"time":"2026-03-10T08:15:00Z","atom":"hot(press)"}
{"time":"2026-03-10T08:16:00Z","atom":"hot(press)"}
{"time":"2026-03-10T08:17:00Z","atom":"hot(press)"}
{"time":"2026-03-10T08:19:00Z","atom":"hot(press)"}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "p.lars").write_text(PROGRAM)
    (tmp_path / "s.jsonl").write_text(STREAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words, "--stream", "s.jsonl"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("zone", [UTC, timezone(timedelta(hours=2)), timezone(timedelta(hours=-3, minutes=-30))])
@pytest.mark.parametrize("form", list(TimeForm))
@pytest.mark.parametrize("clock", [Duration(1, "s"), Duration(1, "min"), Duration(250, "ms")])
def test_one_time_is_written_as_columns_of_them_are(zone: timezone, form: TimeForm, clock: Duration) -> None:
    calendar = Calendar(datetime(2026, 1, 1, tzinfo=zone), clock, zone, given=True)
    for point in (0, 1, 4, 1234567):
        assert calendar.text(point, form) == TimeWriter(calendar, form).text(point)


def test_a_proof_has_the_times_of_the_data(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "why", "alarm(press)", "p.lars", "--at", "2026-03-10T08:17:00Z") == (
        'alarm(press) ("machine press is too hot") holds at 2026-03-10T08:17:00Z, since 2026-03-10T08:15:00Z\n'
        "└─ p.lars:5   alarm(M) :- always hot(M) [2].   M = press\n"
        "   └─ always hot(press) [2]    at every point of 2026-03-10T08:15:00Z to 2026-03-10T08:17:00Z: "
        '3 arrivals of "hot with machine press" (s.jsonl, lines 1-3)\n'
        "It ends at 2026-03-10T08:18:00Z unless hot(press) arrives at 2026-03-10T08:18:00Z\n"
    )


def test_time_points_on_request(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "why", "alarm(press)", "p.lars", "--at", "2026-03-10T08:17:00Z", "--times", "points")
    assert "2026" not in told
    assert "ends at 29552178" in told


def test_a_question_may_say_timestamps(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("--at", "2026-03-10T08:17:00Z")
    told = printed(capsys, "why", '@"2026-03-10T08:18:00Z" due(press)', "p.lars", *at)
    assert told.startswith('@"2026-03-10T08:18:00Z" due(press) ("press is due at 2026-03-10T08:18:00Z") holds at')
    assert "T = 2026-03-10T08:16:00Z" in told
    told = printed(capsys, "why", 'since(press,"2026-03-10T08:16:00Z")', "p.lars", *at)
    assert 'since(press,"2026-03-10T08:16:00Z") holds at 2026-03-10T08:17:00Z' in told
    assert "T < now    2026-03-10T08:16:00Z and 2026-03-10T08:17:00Z" in told
    told = printed(capsys, "what-if", "p.lars", "--add", '@"2026-03-10T08:18:00Z" hot(press)')
    assert "+ 2026-03-10T08:18:00Z..2026-03-10T08:19:00Z: alarm(press)" in told


def test_why_not_has_the_times_of_the_data(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "why-not", "alarm(press)", "p.lars")
    assert 'alarm(press) ("machine press is too hot") does not hold at 2026-03-10T08:19:00Z.' in told
    assert "missing 2026-03-10T08:18:00Z" in told
    assert "1  hot(press) at 2026-03-10T08:18:00Z" in told
    told = printed(capsys, "why-not", 'since(press,"2026-03-10T08:19:00Z")', "p.lars")
    assert "comparison: 2026-03-10T08:19:00Z and 2026-03-10T08:19:00Z" in told


def test_an_engine_tells_times_as_it_was_given_them() -> None:
    engine = larspark.Engine("#clock 1 min. a :- b [2].")
    engine.advance(datetime(2026, 3, 10, 8, 15, tzinfo=UTC), ["b"])
    assert str(engine.why("a")).startswith("a holds at 2026-03-10T08:15:00Z\n")


def test_wording_is_no_meaning() -> None:
    plain = "alarm(M) :- hot(M) [3]."
    said = f'{plain} #say alarm(M) "{{M}} is hot".'
    assert fingerprint(parse_program(plain)) == fingerprint(parse_program(said))
    engine = larspark.Engine(plain)
    engine.advance(0, ["hot(m)"])
    assert larspark.Engine.restore(engine.snapshot(), said).time == 0


def test_words_are_in_the_proof_and_it_stays_valid() -> None:
    asked = case('alarm(M) :- hot(M) [3]. #say alarm(M) "{M} is hot". #input hot(machine).', "0:hot(m)")
    (proof,) = asked.why("alarm(m)", 1)
    assert [node.details.get("words") for node in proof.nodes] == ["m is hot", None, "hot with machine m"]
    assert not verify(why_explanation(proof).json, asked.setting)
