"""Figures of a run in the text format of Prometheus, and the line that says why there is no output."""

from __future__ import annotations

import socket
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact, Signature
from larspark.monitoring.metrics import MEANINGS, Metrics
from larspark.monitoring.server import served
from larspark.monitoring.status import Situation, status
from larspark.runtime.prepared import prepare
from larspark.tick.engine import TickEngine
from larspark.tick.metrics import TickMetrics
from larspark.tick.times import TickTimes
from larspark.tick.timing import OnChange
from larspark.write.times import POINTS

PROGRAM = prepare("hot(M) :- r(M, C) [3], C > 80. old(M) :- off(M) [all].").require()


def figures(text: str) -> dict[str, float]:
    return {key: float(value) for key, value in (line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")}


def test_the_format() -> None:
    metrics = Metrics(status="fine")
    metrics.add("larspark_records_refused_total", reason='a "b"\\c\n')
    metrics.add("larspark_records_refused_total", 2, reason='a "b"\\c\n')
    metrics.put("larspark_watermark", -1)
    metrics.put("larspark_time_seen", None)
    assert metrics.text().splitlines() == [
        "# status: fine",
        f"# HELP larspark_records_refused_total {MEANINGS['larspark_records_refused_total']}",
        "# TYPE larspark_records_refused_total counter",
        'larspark_records_refused_total{reason="a \\"b\\"\\\\c\\n"} 3',
        f"# HELP larspark_watermark {MEANINGS['larspark_watermark']}",
        "# TYPE larspark_watermark gauge",
        "larspark_watermark -1",
    ]


def test_on_a_port() -> None:
    metrics = Metrics(status="fine")
    metrics.put("larspark_watermark", 7)
    with served(metrics, 0) as port:
        assert urlopen(f"http://127.0.0.1:{port}/status").read() == b"fine\n"
        assert b"larspark_watermark 7\n" in urlopen(f"http://127.0.0.1:{port}/metrics").read()
        with pytest.raises(HTTPError):
            urlopen(f"http://127.0.0.1:{port}/")
        with pytest.raises(Rejected, match="in use"), served(metrics, port):
            pass
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), 1)


def test_a_tick_run() -> None:
    metrics = Metrics()
    told = TickMetrics(metrics, PROGRAM, ["stdin"], TickTimes(Calendar()), lambda _now: 4)
    assert metrics.status_line() == "no output yet: nothing has come from stdin\n"
    reasoner = PROGRAM.reasoner("interval", 0)
    engine = TickEngine(reasoner, 0, OnChange(), lambda _: True, told.write, arrived=told.arrived)
    told.start(engine, reasoner, 0)
    engine.arrive(1, Fact("r", ("press", 70)))
    assert "no rule has given an answer, and no atom of off/1 has come" in metrics.status_line()
    engine.arrive(2, Fact("off", ("press",)))
    told.refuse(Diagnostic("E413", "", ""))
    for time in range(3, 40):
        engine.arrive(time, Fact("r", ("press", 70 + time)))
    assert not engine.arrive(5, Fact("r", ("press", 99)))
    found = figures(metrics.text())
    assert found["larspark_atoms_used_total"] == 39
    assert found["larspark_atoms_read_total"] == 41
    assert found["larspark_atoms_late_total"] == 1
    assert found['larspark_records_refused_total{reason="E413"}'] == 1
    assert found['larspark_answers_total{predicate="hot/1"}'] == 1
    assert found["larspark_facts_bound"] == 5  # four readings in [3], and what is kept for ever
    assert found['larspark_retention{predicate="off/1"}'] == -1
    assert found["larspark_facts_kept"] >= found["larspark_facts_bound"]
    assert (found["larspark_watermark"], found["larspark_time_behind"]) == (38, 5)
    assert metrics.status_line().startswith("2 answers")


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (Situation({"a": None, "b": None}), "nothing has come from a, b"),
        (Situation({"a": 3, "b": None}, ["a", "b"], 3, -1), "b is silent"),
        (Situation({"a": 3}, ["a"], 3, -1, 5), "atoms may be 5 time points late"),
        (Situation({"a": 9}, ["a"], 3, 8, fed=frozenset({Signature("off", 1)})), "no atom of r/2 has come"),
        (Situation({"a": 9}, ["a"], 3, 8), "no rule has given an answer; everything up to 8 is final"),
    ],
)
def test_why_there_is_no_output(now: Situation, told: str) -> None:
    line = status(now, PROGRAM.analysis, POINTS)
    assert line.startswith("no output yet: ")
    assert told in line


def test_a_window_that_has_not_moved_yet() -> None:
    analysis = prepare("b :- a [10 hop 10].").require().analysis
    assert "moves every 10 time points, of which 5 have passed" in status(Situation({"a": 9}, (), 4), analysis, POINTS)


def test_what_is_negated_is_not_waited_for() -> None:
    analysis = (
        prepare("hot(M) :- r(M, C), C > 80. alarm(M) :- hot(M), not off(M) [9]. #show alarm/1.").require().analysis
    )
    one = Signature("r", 2)
    line = status(Situation({"a": 9}, ["a"], 3, 8, fed=frozenset({one})), analysis, POINTS)
    assert line.startswith("no output yet: no rule has given an answer; everything")
    line = status(Situation({"a": 9}, ["a"], 3, 8, fed=frozenset({Signature("off", 1)})), analysis, POINTS)
    assert line.startswith("no output yet: no atom of r/2 has come; everything")


def test_another_name_came() -> None:
    now = Situation({"a": 9}, ["a"], 3, 8, fed=frozenset({Signature("reading", 2)}))
    line = status(now, prepare("hot(M) :- readings(M, C), C > 80.").require().analysis, POINTS)
    assert "no atom of readings/2 has come, but of reading/2, which no rule reads; everything" in line


def test_bad_records_are_told_where_nothing_else_comes() -> None:
    line = status(Situation({"a": 3, "b": None}, ["a", "b"], 3, -1, refused=3), PROGRAM.analysis, POINTS)
    assert "b is silent" in line
    assert line.endswith("; 3 bad records were refused")
