"""Ticks in columns write what ticks one by one write: every timing, every kind of line, however small the grain."""

from __future__ import annotations

import json
import re
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from larspark.analysis.rewrites.ticks_as_times import ticks_as_times
from larspark.cli.commands import tick
from larspark.cli.main import main
from larspark.language.printing.printer import show
from larspark.tick import columns
from support.analysed import analysed

PROGRAMS = {
    "counted": "#show hot/1. hot(X) :- a(X,_) [3], N = #count{ Y : a(X,Y) [3] }, N > 1.",
    "negated": "p(X) :- a(X,Y) [2], not b(Y) [1]. q(X) :- p(X), not b(_).",
    "given": "p(X) :- a(X,_). r(Y) :- p(X), a(X,Y) [2 #]. f. s(X) :- a(X,_) [4 hop 2]. z :- not b(1) [2].",
    "without answer stream": ":- a(1,1) [1], a(2,2) [1]. p(X) :- a(X,_) [all].",
    "filtered": "p(X) :- a(X,_) [of a(_,1)]. p(X) :- b(X) [1 # per X].",
    "recursive": "d(X) :- e(X) [2]. e(Y) :- a(X,Y) [1], X < Y. d(X) :- d(Y), a(Y,X) [3].",
    "pinned": "@T p(X) :- @T a(X,_) [2]. w :- always b(1) [1]. b(2) :- b(1). #input b/1.",
}
OPTIONS = st.tuples(
    st.sampled_from(["change", "time", "signal", "2signals", "3s"]),
    st.sampled_from(["model", "changes"]),
    st.sampled_from(["text", "json"]),
    st.sampled_from(["none", "inferences", "p,a"]),
)
VALUES = st.integers(0, 2)
ATOMS = st.builds("a({},{})".format, VALUES, VALUES) | st.builds("b({})".format, VALUES)
STREAMS = st.lists(st.tuples(st.sampled_from([0, 0, 0, 1, 1, 2, 6, -1, None]), ATOMS), min_size=1, max_size=25)
"""How far time goes on, back, or is not said."""


def lines(stream: list[tuple[int | None, str]], start: int) -> str:
    written, time = [json.dumps({"time": start, "atom": "b(0)"})], start
    for ahead, atom in stream:
        time = max(time + (ahead or 0), 0)
        written.append(atom if ahead is None else json.dumps({"time": time, "atom": atom}))
    return "".join(f"{line}\n" for line in written)


def written(folder: Path, options: tuple[str, str, str, str], *, in_columns: bool, grain: int = 4) -> tuple[int, str]:
    every, what, kind, kept = options
    words = ("-p", "p.lars", "-i", "stream", "-o", "out", "-l", "none", "-e", every, "--print", what, "-f", kept)
    found = [str(folder / word) if word in ("p.lars", "stream", "out") else word for word in words]
    make = tick._columns if in_columns else lambda *_: None
    with (
        patch.object(tick, "_columns", make),
        patch.object(columns, "FIRST_GRAIN", grain),
    ):
        status = main(["tick", *found, "--format", kind])
    return status, (folder / "out").read_text()


@pytest.mark.parametrize("name", PROGRAMS)
def test_columns_write_what_single_ticks_write(name: str, tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(PROGRAMS[name])

    @settings(max_examples=20, suppress_health_check=list(HealthCheck))
    @given(OPTIONS, STREAMS, st.sampled_from([0, 5]))
    def check(options: tuple[str, str, str, str], stream: list[tuple[int | None, str]], start: int) -> None:
        (tmp_path / "stream").write_text(lines(stream, start))
        assert written(tmp_path, options, in_columns=True) == written(tmp_path, options, in_columns=False)

    check()


@pytest.mark.parametrize("what", ["model", "changes"])
@pytest.mark.parametrize("kind", ["text", "json"])
def test_times_leave_as_they_came(what: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text('#clock 1 min. #timezone "Europe/Vienna". p(X) :- a(X) [2].')
    came = ["2026-03-10T08:00:30", "2026-03-10T08:01:00", "2026-03-10T08:05:00"]
    (tmp_path / "stream").write_text("".join(json.dumps({"time": time, "atom": "a(1)"}) + "\n" for time in came))
    options = ("change", what, kind, "inferences")
    status, text = written(tmp_path, options, in_columns=True)
    assert (status, text) == written(tmp_path, options, in_columns=False)
    times = ["2026-03-10T08:00:00", "2026-03-10T08:04:00", "2026-03-10T08:05:00"]
    lines_of = text.splitlines()[-3:]
    if kind == "json":
        assert [json.loads(line)["timestamp"] for line in lines_of] == times
    else:
        assert [line.partition(": ")[0] for line in lines_of] == times


def test_time_points_on_request(tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text("#clock 1 min. p(X) :- a(X) [2].")
    (tmp_path / "stream").write_text('{"time": "1970-01-01T00:07:00Z", "atom": "a(1)"}\n')
    words = ["tick", "-p", str(tmp_path / "p.lars"), "-i", str(tmp_path / "stream"), "-o", str(tmp_path / "out")]
    assert main([*words, "--times", "points", "-f", "inferences"]) == 0
    assert (tmp_path / "out").read_text() == "7: p(1)\n"


def test_a_long_file_is_the_same_in_many_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts end inside time points; a time point has more signals than the grain."""
    monkeypatch.setattr("larspark.tick.sources.AT_ONCE", 1 << 12)
    (tmp_path / "p.lars").write_text(PROGRAMS["counted"])
    stream = [(int(number % 70 == 0), f"a({number % 7},{number % 11})") for number in range(600)]
    (tmp_path / "stream").write_text(lines(stream, 3))
    options = ("change", "model", "text", "none")
    assert written(tmp_path, options, in_columns=True, grain=16) == written(tmp_path, options, in_columns=False)


def test_the_program_on_a_finer_clock() -> None:
    program = ticks_as_times(analysed("p(X) :- a(X) [5], b, not c(X) [1, +2]. q :- p(_) [3 #]."), 10)
    assert program is None, "a window over what is derived counts no arrivals"
    program = ticks_as_times(analysed("p(X) :- a(X) [5], b, not c(X) [1, +2], p(X)."), 10)
    assert program is not None
    assert show(program.rules[0]) == "p(X) :- a(X) [50, +10 hop 10], b [+10 hop 10], not c(X) [10, +30 hop 10], p(X)."


@pytest.mark.parametrize(
    "rule",
    ["p :- @T a [2].", "p :- always a [2].", "p(now) :- a.", "@T p :- @T a [1].", "p :- a [from 1 to 3]."],
)
def test_programs_that_count_time_points_stay_as_they_are(rule: str) -> None:
    assert ticks_as_times(analysed(rule), 10) is None


@pytest.mark.parametrize("every", ["change", "time", "signal"])
@pytest.mark.parametrize("kind", ["text", "json"])
def test_what_is_refused_or_late_is_told_alike(
    every: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the lines they stand in; only how many evaluations it took may differ."""
    (tmp_path / "p.lars").write_text("alarm(X) :- hot(X) [2], not ok [1].")
    stream = (
        "@1 hot(a)\n@1 hot(\n@1 alarm(z)\n@4 hot(b)\nhot(c)\n@-4 ok\n@5 ok; hot(d)\n@2 ok\n@3 alarm(y)\n@9 hot(e)\n"
    )
    (tmp_path / "stream").write_text(stream)
    words = ["-p", str(tmp_path / "p.lars"), "-i", str(tmp_path / "stream"), "-e", every, "--format", kind]
    told = []
    for make in (tick._columns, lambda *_: None):
        with patch.object(tick, "_columns", make):
            assert main(["tick", *words, "-o", str(tmp_path / "out")]) == 0
        lines = capsys.readouterr().err.splitlines()
        told.append([re.sub(r'(\d+ evaluations|"evaluations": \d+)', "", line) for line in lines])
    assert told[0] == told[1]
    assert len(told[0]) == 6
