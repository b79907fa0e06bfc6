"""From a file to answers: whole commands, beside a script written by hand and beside the engine alone.

What counts is the CPU time of the whole command, less that of the same command over a single atom: starting an
interpreter is measured by `start`.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from larspark.bench.experiments.real_data import real_data
from larspark.bench.measuring.figures import Experiment, Figure
from larspark.bench.measuring.measure import AnswersDiffer
from larspark.bench.peers.by_hand import hot_script

WINDOW, LEAST, RATE = 20, 14, 200
RULE = f"hot(X) :- a(X,_) [{WINDOW}], N = #count{{ Y : a(X,Y) [{WINDOW}] }}, N > {LEAST}."
PROGRAM = f"#show hot/1.\n{RULE}\n"
UNSHOWN = f"{PROGRAM}q(X,Y) :- a(X,Y) [{WINDOW}].\n"
KEYS, VALUES = 100, 1000
LARSPARK = (sys.executable, "-m", "larspark")


@dataclass(frozen=True)
class Amounts:
    lines: int
    rows: int
    ticks: int
    calls: int
    real: int
    """Atoms that are bare numbers, or as people have them."""
    turns: int


FULL = Amounts(lines=200_000, rows=10_000_000, ticks=100_000, calls=20_000, real=1_000_000, turns=20)
QUICK = Amounts(lines=4_000, rows=20_000, ticks=400, calls=400, real=20_000, turns=1)


def _measure(quick: bool) -> Iterator[Figure]:
    sizes = QUICK if quick else FULL
    with TemporaryDirectory() as folder:
        yield from _json_lines(Path(folder), sizes.lines)
        yield from _ticks(Path(folder), sizes.ticks, sizes.lines)
        yield from _parquet(Path(folder), sizes.rows)
        yield from real_data(Path(folder), sizes.turns, _columns(sizes.real))
    yield from _calls(sizes.calls)
    yield _tables(sizes.lines)


# -- commands --------------------------------------------------------------------------------------


def _json_lines(folder: Path, count: int) -> Iterator[Figure]:
    stream, single = _stream(folder / "a.jsonl", count), _stream(folder / "one.jsonl", 1)
    (folder / "hot.lars").write_text(PROGRAM)
    (folder / "unshown.lars").write_text(UNSHOWN)

    def by_hand(path: Path) -> Sequence[str]:
        return (sys.executable, hot_script.__file__, str(path), str(WINDOW), str(LEAST))

    def by_eval(program: str) -> Callable[[Path], Sequence[str]]:
        return lambda path: (*LARSPARK, "eval", str(folder / program), "--stream", str(path))

    seconds, printed = _cpu(by_hand, stream, single)
    yield Figure("a script written by hand over JSON lines, per atom", _micro(seconds, count), "us")
    for program, asked in (("hot.lars", 1.0), ("unshown.lars", None)):
        own, told = _cpu(by_eval(program), stream, single)
        if told != printed:
            raise AnswersDiffer(f"`eval {program}` prints something else than the script written by hand")
        what = "the same" if asked is None else "eval"
        tail = ", with a rule that nobody shows" if asked is None else " over JSON lines, points printed"
        details = {"seconds": own, "by_hand": seconds}
        yield Figure(f"{what}{tail}, against the script", round(own / seconds, 2), "", asked, details=details)


def _ticks(folder: Path, few: int, many: int) -> Iterator[Figure]:
    single = _stream(folder / "one.jsonl", 1)
    for options, count, asked in ((("-e", "change"), few, 12.0), (("-e", "time"), many, 4.0)):
        stream = _stream(folder / "ticks.jsonl", count)

        def command(path: Path, options: Sequence[str] = options) -> Sequence[str]:
            return (*LARSPARK, "tick", "-p", str(folder / "hot.lars"), "-i", str(path), *options)

        seconds, _ = _cpu(command, stream, single)
        yield Figure(f"tick {' '.join(options)} from a file, per atom", _micro(seconds, count), "us", asked)
        over_socket = [_fed(folder / "hot.lars", options, path) for path in (stream, single)]
        spent = max(over_socket[0] - over_socket[1], 1e-9)
        yield Figure(f"tick {' '.join(options)} from a socket, per atom", _micro(spent, count), "us", asked)


def _parquet(folder: Path, count: int) -> Iterator[Figure]:
    import pyarrow as pa  # noqa: PLC0415 - the suite starts without it
    import pyarrow.parquet as pq  # noqa: PLC0415

    columns = _columns(count)
    tables = folder / "tables"
    for rows in (1, count // 10, count * 3 // 10, count):
        (tables / str(rows)).mkdir(parents=True)
        pq.write_table(pa.table([one[:rows] for one in columns], ["time", "x", "y"]), tables / str(rows) / "a.parquet")

    def command(rows: int) -> Sequence[str]:
        source, written = tables / str(rows) / "a.parquet", folder / "hot.parquet"
        program = str(folder / "hot.lars")
        return (*LARSPARK, "eval", program, "--stream", str(source), "--as", "intervals", "--output", str(written))

    alone = _engine_alone(columns)
    del columns
    seconds, started = (_run(command(rows))[0] for rows in (count, 1))
    details = {"atoms": count, "seconds": seconds - started, "engine": alone}
    ratio = round((seconds - started) / alone, 2)
    yield Figure("eval over Parquet, intervals written, against the engine alone", ratio, "", 2.0, details=details)
    base = _peak(command(1))
    for rows in (count // 10, count * 3 // 10, count):
        peak = _peak(command(rows))
        details = {"atoms": rows, "peak": peak, "base": base}
        yield Figure(f"the same over {rows:,} atoms: memory beside that of one", peak - base, "bytes", details=details)


def _columns(count: int) -> list[np.ndarray]:
    random = np.random.default_rng(1)
    return [np.arange(count) // RATE, random.integers(0, KEYS, count), random.integers(0, VALUES, count)]


def _engine_alone(columns: Sequence[np.ndarray]) -> float:
    from larspark.language.facts import Signature  # noqa: PLC0415
    from larspark.reasoners.interval.reasoner import IntervalReasoner  # noqa: PLC0415
    from larspark.reasoners.interval.state.arrivals import Arrivals  # noqa: PLC0415 - loads kernels
    from larspark.runtime.prepared import prepare  # noqa: PLC0415

    times, codes = columns[0], np.column_stack(columns[1:]) << 1
    reasoner = prepare(PROGRAM).reasoner("interval", 0)
    assert isinstance(reasoner, IntervalReasoner)
    began = time.process_time()
    for begin in range(0, len(times), RATE << 6):
        part = slice(begin, begin + (RATE << 6))
        arrivals = Arrivals.single(Signature("a", 2), codes[part], times[part])
        for _ in reasoner.replay(int(times[part][-1]), arrivals):
            pass
    return time.process_time() - began


# -- the Python interface --------------------------------------------------------------------------


def _calls(count: int) -> Iterator[Figure]:
    from larspark import Engine  # noqa: PLC0415 - loads kernels
    from larspark.language.facts import Fact  # noqa: PLC0415

    random = Random(2)
    for rate, asked in ((RATE, 1.0), (1, 8.0)):
        engine = Engine("q(X,Y) :- a(X,Y) [20].")
        steps = [
            [Fact("a", (random.randrange(KEYS), random.randrange(VALUES))) for _ in range(rate)]
            for _ in range(max(count // rate, 20))
        ]
        engine.advance(0, steps[-1])
        began = time.process_time()
        for point, facts in enumerate(steps, 1):
            engine.advance(point, facts)
        spent = (time.process_time() - began) / (len(steps) * rate)
        what = "per atom" if rate > 1 else "per call"
        yield Figure(f"Engine.advance with {rate} fact(s) a time point, {what}", round(spent * 1e6, 2), "us", asked)


def _tables(count: int) -> Figure:
    """The same rows as tables of Arrow, and as codes for the reasoner; in turns."""
    import pyarrow as pa  # noqa: PLC0415

    from larspark import Engine  # noqa: PLC0415

    columns = _columns(count)
    table = pa.table(columns, ["time", "x", "y"])
    spent: dict[str, list[float]] = {"tables": [], "columns": []}
    for _ in range(3):
        spent["columns"].append(_engine_alone(columns))
        engine = Engine(PROGRAM)
        began = time.process_time()
        for begin in range(0, count, RATE << 6):
            engine.advance({"a": table.slice(begin, RATE << 6)})
        spent["tables"].append(time.process_time() - began)
    ratio = round(min(spent["tables"]) / min(spent["columns"]), 2)
    return Figure("Engine.advance with tables, against columns of codes", ratio, "", 1.3, details={"atoms": count})


# -- processes -------------------------------------------------------------------------------------


def _fed(program: Path, options: Sequence[str], stream: Path) -> float:
    """CPU seconds of `tick` with a client that sends a file to its port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = (*LARSPARK, "tick", "-p", str(program), "-i", f"socket:{port}", "--once", *options)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            client = socket.create_connection(("127.0.0.1", port))
            break
        except ConnectionRefusedError:
            time.sleep(0.05)
    with client:
        client.sendall(stream.read_bytes())
    _, _, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime


def _stream(path: Path, count: int) -> Path:
    random = Random(1)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            atom = f"a({random.randrange(KEYS)},{random.randrange(VALUES)})"
            file.write(json.dumps({"time": number // RATE, "atom": atom}) + "\n")
    return path


def _cpu(command: Callable[[Path], Sequence[str]], stream: Path, single: Path) -> tuple[float, bytes]:
    """Seconds for the stream less those for a single atom, and what was printed; the best of three."""
    runs = [_run(command(stream)) for _ in range(3)]
    started = min(_run(command(single))[0] for _ in range(3))
    return max(min(seconds for seconds, _ in runs) - started, 1e-9), runs[0][1]


def _run(command: Sequence[str]) -> tuple[float, bytes]:
    """CPU seconds and output of a process."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return used.ru_utime + used.ru_stime, printed


def _peak(command: Sequence[str]) -> int:
    """The largest resident size of a process, in bytes; started by a small one, whose size it would else begin with."""
    told = subprocess.run((sys.executable, "-c", _STARTER, *command), stdout=subprocess.PIPE, check=True).stdout
    return int(told) * (1 if sys.platform == "darwin" else 1024)


_STARTER = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def _micro(seconds: float, count: int) -> float:
    return round(seconds / count * 1e6, 2)


EXPERIMENTS = (Experiment("end-to-end", "from a file to answers: whole commands and calls", _measure, seconds=300),)
