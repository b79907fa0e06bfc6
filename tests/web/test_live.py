"""A live engine for the page: what it tells is what follows, whichever way time went."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from larspark.diagnostics import Rejected
from larspark.explain.evaluations.history import RecordPlace, Refusal, Sourced
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
from larspark.questions.explaining import Case
from larspark.runtime.prepared import prepare
from larspark.runtime.sourced import read_sourced
from larspark.web.live import Live, PlayedInput
from larspark.web.log import EventLog, read_tick, tick_text
from larspark.web.marks import MarkKind
from larspark.web.picture import history_marks
from larspark.web.streaming import StreamFollowing, StreamStep

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAM = "alarm(M) :- always hot(M) [2], not technician(_) [2]."


def live_of(program: str | Path, *arrivals: Sourced, **options: object) -> Live:
    settings = {"history": 1000, **options}
    file = program if isinstance(program, Path) else None
    return Live(prepare(program), file, "interval", PlayedInput(arrivals), **settings)


def concluded(live: Live) -> set[tuple[object, ...]]:
    live.tally()
    last = live.time
    marks = (mark for mark in live._tally.marks() if mark.kind in (MarkKind.HOLDS, MarkKind.PINNED))
    return {(*mark[:3], last if mark.last is None else mark.last, mark.at) for mark in marks}


@pytest.mark.parametrize("name", ["transport", "machines", "cooling", "explanations/alarms"])
def test_stepping_tells_what_an_evaluation_of_the_whole_tells(name):
    program = EXAMPLES / f"{name}.lars"
    prepared = prepare(program)
    arrivals = read_sourced(program.with_suffix(".jsonl"), prepared, "skip").arrivals
    live = live_of(program, *arrivals)
    while live.state()["pending"]:
        live.step()
    shown = prepared.analysis.shown
    history = Case.of(prepared, arrivals).side.history
    expected = {tuple(mark) for mark in history_marks(history) if mark.fact.signature in shown}
    assert {mark for mark in concluded(live) if mark[0].signature in shown} == expected


def test_loading_at_once_and_going_on_is_the_same_as_stepping():
    arrivals = [Sourced(time, Fact("hot", ("m",))) for time in (0, 1, 2, 3, 5, 6, 7)]
    loaded, stepped = live_of(PROGRAM, *arrivals[:5]), live_of(PROGRAM, *arrivals)
    loaded.load()
    loaded.send([Fact("hot", ("m",))], 6)
    loaded.send([Fact("hot", ("m",))], 7)
    loaded.advance(9)
    stepped.advance(9)
    assert concluded(loaded) == concluded(stepped)


def test_going_back_brings_what_came_later_again():
    live = live_of(PROGRAM, *(Sourced(time, Fact("hot", ("m",))) for time in range(6)))
    live.load()
    before, run = concluded(live), live.log.run
    live.back(2)
    assert (live.time, live.state()["pending"], live.log.run == run) == (2, 3, False)
    live.advance(5)
    assert concluded(live) == before


def test_other_rules_are_applied_to_all_that_is_kept():
    live = live_of(PROGRAM, *(Sourced(time, Fact("hot", ("m",))) for time in (1, 2, 4)))
    live.load()
    found = live.asked().preview("alarm(M) :- hot(M) [2].", "program")
    assert [(one["sign"], one["atom"], one["from"], one["to"]) for one in found["differences"]] == [
        ("+", "alarm(m)", 3, 4)
    ]
    live.apply("alarm(M) :- hot(M) [2].")
    assert {mark[2:4] for mark in concluded(live)} == {(1, 4)}
    live.advance(9)
    assert {mark[2:4] for mark in concluded(live)} == {(1, 6)}


def test_what_is_refused_is_told_and_changes_nothing():
    live = live_of(PROGRAM)
    live.send([parse_fact("hot(m)")], 5)
    for atoms, time in (("alarm(m)", None), ("hot(m)", 3), ("hot(m,1)", None)):
        with pytest.raises(Rejected):
            live.send([parse_fact(atoms)], time)
    assert live.state()["accounts"]["refusedInAll"] == 3
    assert live.asked().arrivals == (Sourced(5, Fact("hot", ("m",)), RecordPlace("typed", 1)),)


def test_history_is_bounded_and_says_so():
    live = live_of(PROGRAM, history=50)
    for time in range(400):
        live.send([Fact("hot", ("m",))], time)
    asked = live.asked()
    assert len(asked.arrivals) < 150
    assert asked.why("alarm(m)", 399)["text"].startswith("alarm(m) holds at 399")
    with pytest.raises(Rejected, match="no longer kept"):
        asked.why("alarm(m)", 10)
    live.tally()
    assert "no longer kept" in live.state()["accounts"]["dropped"]


def test_ids_are_time_points_and_a_reader_goes_on_after_any_of_them():
    log = EventLog(kept=4)
    for time in (3, 3, 5):
        log.append(time, (), None)
    assert [event.id for event in log.since(0, 10)[0]] == ["3", "3.1", "5"]
    assert log.place_after(read_tick("3")) == 1
    assert log.place_after(read_tick("3.1")) == 2
    assert log.place_after(read_tick("")) == 0
    assert tick_text((5, 0)) == "5"
    for time in range(6, 30):
        log.append(time, (), None)
    assert log.since(0, 10) is None, "a reader who lags too far begins anew"
    assert log.place_after((3, 0)) is None


def test_a_stream_on_spark_is_followed_by_its_tables(tmp_path):
    """What is final, once; which source holds up the others; and no questions, as arrivals stay in Spark."""
    followed = StreamFollowing(
        prepare(PROGRAM), Path("program.lars"), 1000, tmp_path, {"alarm": "alarm"}, ["left.jsonl", "right.jsonl"]
    )
    followed.come(StreamStep(None, -1, [None, None], 0, 0, 0))
    (tmp_path / "alarm").mkdir()
    rows = {"arg1": ["m", "n"], "from": [3, 4], "to": [5, 4], "at": pa.array([None, None], pa.int64())}
    pq.write_table(pa.table(rows), tmp_path / "alarm" / "batch-000000.parquet")
    counts = StreamStep(3, 6, [9, 7], arrivals=7, late=2, refused=1, came={"hot/1": 6, "technician/1": 1})
    followed.come(counts, [Refusal(RecordPlace("left.jsonl", 0), "The line is not JSON.", "E401")])
    followed.come(counts._replace(watermark=8, heard=[9, 8]))
    assert concluded(followed) == {
        (Fact("alarm", ("m",)), MarkKind.HOLDS, 3, 5, None),
        (Fact("alarm", ("n",)), MarkKind.HOLDS, 4, 4, None),
    }
    accounts = followed.state()["accounts"]
    assert (accounts["used"], accounts["refusedInAll"], accounts["late"]) == (7, 1, 2)
    assert [(one["file"], one["code"]) for one in accounts["refused"]] == [("left.jsonl", "E401")]
    assert accounts["came"]["hot/1"] == 6
    assert accounts["waiting"].endswith("right.jsonl has come to 8 and holds up the others.")
    assert not followed.answers
