"""Who waits for a bounded run is told how far it is."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from larspark.cli.display import waiting
from larspark.cli.pipeline import bounded
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.language.tree import Duration
from larspark.spark.evaluate import columnar, messages, progress
from larspark.spark.evaluate.progress import Note, progress_in
from larspark.spark.plan.plan import EvaluationSpan, make_plan
from larspark.spark.session import watching
from larspark.spark.session.watching import watched
from larspark.write.places import unfinished
from support.analysed import analysed
from support.bounded_runs import plain_tables, rows_from_files, write_arrivals


def test_notes_of_the_last_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress, "PAUSE", 0)
    book = progress_in(tmp_path)
    assert book.latest() is None
    book.page(0, 0).write(Note(3, 9, 40))
    page = book.page(1, 0)
    page.write(Note(1, 9, 10))
    page.write(Note(2, 9, 20))
    book.page(1, 1).write(Note(5, 9, 50))
    (book.folder / "1-2").write_text("4")  # just being written
    stage, notes = book.latest() or (None, [])
    assert stage == 1
    assert sorted(notes) == [Note(2, 9, 20), Note(5, 9, 50)]
    book.close()
    assert book.latest() is None


def test_notes_are_not_written_all_the_time(tmp_path: Path):
    book = progress_in(tmp_path)
    page = book.page(0, 0)
    for time_point in range(100):
        page.write(Note(time_point, 99, 0))
    assert book.latest() == (0, [Note(0, 99, 0)])


def test_partitions_take_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress, "PAUSE", 0)
    monkeypatch.setattr(columnar, "CHUNK", 4)
    monkeypatch.setattr(messages, "ROWS", 4)
    plan = make_plan(analysed("q(X) :- p(X) [3]."))
    write_arrivals(tmp_path / "in", [(time, Fact("p", (time % 5,))) for time in range(100)], group=8)
    rows_from_files(
        plan, plain_tables(tmp_path / "in", plan), tmp_path, EvaluationSpan(0, 0, 99), 2, progress=progress_in(tmp_path)
    )
    stage, notes = progress_in(tmp_path).latest() or (None, [])
    assert stage == 0
    assert len(notes) == 2
    assert all(note.time == 99 == note.end for note in notes)
    assert sum(note.atoms for note in notes) == 100


def test_tasks_and_times_are_told(spark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watching, "FIRST", 0.1)
    monkeypatch.setattr(watching, "EVERY", 0.1)
    told: list[str] = []
    results = tmp_path / "results"
    unfinished(results).mkdir()
    progress_in(unfinished(results)).page(0, 0).write(Note(6, 9, 1200))

    def slow(batches):
        time.sleep(2)
        yield from batches

    with watched(spark, results, told.append, lambda time: f"08:0{time}"):
        spark.range(0, 3, 1, 3).mapInArrow(slow, "id long").collect()
    assert any(" of 3 tasks" in text for text in told), told
    assert any("stage 1 at time 08:06 of 08:09, 1,200 atoms" in text for text in told), told
    count = len(told)
    time.sleep(0.3)
    assert len(told) == count


def test_times_are_told_as_moments():
    calendar = Calendar(clock=Duration(1, "min"))
    assert bounded.time_shown(False, calendar, 29_552_109) == "2026-03-10T07:09:00Z"
    assert bounded.time_shown(True, calendar, 29_552_109) == "29,552,109"
    assert bounded.time_shown(False, calendar, 1_200) == "1,200"


def test_a_log_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    with waiting.waiting() as tell:
        tell("too early")
    monkeypatch.setattr(waiting, "PAUSE", 0)
    with waiting.waiting() as tell:
        tell("how far it is")
    with waiting.waiting(told=False) as tell:
        tell("never")
    assert capsys.readouterr().err == "how far it is\n"
