"""What types, names and timestamps cost: the same rows once as bare numbers, once as people have them, in turns.

Both are the command `eval`, again and again in one process of its own, so that neither its start nor what is loaded the
first time counts; one run of each makes a turn, and the fastest of many turns counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import numpy as np

from larspark.bench.measuring.figures import Figure
from larspark.bench.measuring.measure import AnswersDiffer

RULE = "hot(M) :- a(M,_) [20 s], N = #count{ C : a(M,C) [20 s] }, N > 14."
BARE = f"#clock 1 s.\n#show hot/1.\n{RULE}\n"
TYPED = f"""#clock 1 s.
#timezone "Europe/Vienna".
#input a(machine: integer, celsius: integer).
#show hot(machine).
{RULE}
"""
BEGIN = int(datetime(2026, 3, 10, tzinfo=UTC).timestamp())

_IN_TURNS = """
import contextlib, gc, json, os, sys
from time import process_time
from larspark.cli.main import main
asked = json.load(sys.stdin)
def used(words):
    gc.collect()
    began = process_time()
    with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing), contextlib.redirect_stderr(nothing):
        if main(words):
            raise SystemExit(f"larspark {' '.join(words)} failed")
    return process_time() - began
for words in asked["commands"]:
    used(words)
turns = []
for turn in range(asked["turns"]):
    order = range(len(asked["commands"]))[:: 1 - 2 * (turn % 2)]
    spent = {place: used(asked["commands"][place]) for place in order}
    turns.append([spent[place] for place in sorted(spent)])
print(json.dumps(turns))
"""


def real_data(folder: Path, turns: int, columns: Sequence[np.ndarray]) -> Iterator[Figure]:
    """`columns` are times and two arguments. Asked for are 5 % at most."""
    import pyarrow as pa  # noqa: PLC0415 - the suite starts without it
    import pyarrow.csv as pc  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    times, machines, values = columns
    seconds = pa.array(BEGIN + times)
    stamps = seconds.cast(pa.timestamp("s"))
    tables = {
        "bare": pa.table([seconds, machines, values], ["time", "x", "y"]),
        "typed": pa.table([stamps, machines, values], ["time", "machine", "celsius"]),
    }
    texts = {"bare": BARE, "typed": TYPED}
    writers = {"Parquet": ("parquet", pq.write_table), "CSV": ("csv", pc.write_csv)}
    for told, (ending, write) in writers.items():
        commands = []
        for name, table in tables.items():
            place = folder / name
            place.mkdir(exist_ok=True)
            (place / "p.lars").write_text(texts[name])
            write(table, place / f"a.{ending}")
            words = ("eval", str(place / "p.lars"), "--stream", str(place / f"a.{ending}"))
            commands.append((*words, "--as", "intervals", "--output", str(place / f"hot-{ending}.parquet")))
        spent = _in_turns(commands, turns)
        _compare(folder, ending)
        bare, typed = (sorted(one) for one in zip(*spent, strict=True))
        details = {"atoms": len(times), "turns": turns, "bare": bare[0], "typed": typed[0]}
        details |= {"bare, median": median(bare), "typed, median": median(typed)}
        what = f"types, names and timestamps, {told} to Parquet, against bare numbers"
        yield Figure(what, round(typed[0] / bare[0], 2), "", 1.05, details=details)


def _in_turns(commands: Sequence[Sequence[str]], turns: int) -> list[list[float]]:
    """The CPU seconds of each command in each turn; every second turn goes backwards."""
    asked = json.dumps({"commands": commands, "turns": turns})
    told = subprocess.run((sys.executable, "-c", _IN_TURNS), input=asked.encode(), stdout=subprocess.PIPE, check=True)
    found: list[list[float]] = json.loads(told.stdout)
    return found


def _compare(folder: Path, ending: str) -> None:
    """`AnswersDiffer` unless both have the same intervals."""
    import pyarrow.parquet as pq  # noqa: PLC0415

    bare, typed = (pq.read_table(folder / name / f"hot-{ending}.parquet").num_rows for name in ("bare", "typed"))
    if bare != typed or not bare:
        raise AnswersDiffer(f"{bare} intervals from bare numbers, {typed} from typed ones")
