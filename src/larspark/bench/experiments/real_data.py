"""What types, names and timestamps cost: the same rows once as bare numbers, once as people have them, in turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

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

Spent = Callable[[Sequence[str]], float]
"""The CPU seconds of a command."""


def real_data(
    folder: Path, asked: tuple[Sequence[str], int], columns: Sequence[np.ndarray], spent: Spent
) -> Iterator[Figure]:
    """A command with the number of its turns; `columns` are times and two arguments. Asked for are 5 % at most."""
    import pyarrow as pa  # noqa: PLC0415 - the suite starts without it
    import pyarrow.csv as pc  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    (command, turns), (times, machines, values) = asked, columns
    seconds = pa.array(BEGIN + times)
    stamps = seconds.cast(pa.timestamp("s"))
    tables = {
        "bare": pa.table([seconds, machines, values], ["time", "x", "y"]),
        "typed": pa.table([stamps, machines, values], ["time", "machine", "celsius"]),
    }
    texts = {"bare": BARE, "typed": TYPED}
    writers = {"Parquet": ("parquet", pq.write_table), "CSV": ("csv", pc.write_csv)}
    for told, (ending, write) in writers.items():
        best: dict[tuple[str, str], float] = {}
        for name, table in tables.items():
            place = folder / name
            place.mkdir(exist_ok=True)
            (place / "p.lars").write_text(texts[name])
            for size, rows in (("all", len(times)), ("one", 1)):
                (place / size).mkdir(exist_ok=True)
                write(table.slice(0, rows), place / size / f"a.{ending}")
        for _ in range(turns):
            for name in tables:
                for size in ("all", "one"):
                    place = folder / name
                    output = place / f"{size}-{ending}.parquet"
                    words = ("eval", str(place / "p.lars"), "--stream", str(place / size / f"a.{ending}"))
                    used = spent((*command, *words, "--as", "intervals", "--output", str(output)))
                    best[name, size] = min(used, best.get((name, size), used))
        _compare(folder, ending)
        own = {name: best[name, "all"] - best[name, "one"] for name in tables}
        what = f"types, names and timestamps, {told} to Parquet, against bare numbers"
        yield Figure(what, round(own["typed"] / own["bare"], 2), "", 1.05, details={"atoms": len(times), **own})


def _compare(folder: Path, ending: str) -> None:
    """`AnswersDiffer` unless both have the same intervals."""
    import pyarrow.parquet as pq  # noqa: PLC0415

    bare, typed = (pq.read_table(folder / name / f"all-{ending}.parquet").num_rows for name in ("bare", "typed"))
    if bare != typed or not bare:
        raise AnswersDiffer(f"{bare} intervals from bare numbers, {typed} from typed ones")
