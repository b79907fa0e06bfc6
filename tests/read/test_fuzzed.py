"""Readers of what is not trusted: whatever the bytes are, they are read or refused, never anything else.

Inputs are good ones that have been cut, spliced and damaged, so that most get past the first check. 10,000 are tried
for each reader, or as many as LARSPARK_FUZZED says (`LARSPARK_FUZZED=1000000` takes hours).
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import larspark
from larspark.cases.case_file import read_case_file
from larspark.diagnostics import Rejected
from larspark.language.parser import parse_fact, parse_program
from larspark.language.printing.format import format_program
from larspark.read import CheckedChunks, read_chunks
from larspark.read.rules import Rules

TRIED = int(os.environ.get("LARSPARK_FUZZED", "10000"))
TOGETHER = {"JSON lines": 10, "CSV": 10}
"""Where a bad record is passed over, several inputs are tried as one file: opening it takes longer than reading it."""

JSON = (
    b'{"time": 36, "atom": "tram(a1,b)"}\n{"time": 37, "predicate": "tram", "args": ["a1", 2]}\n'
    b'{"time": "2024-01-01T00:00:00Z", "atom": "p(\\"two words\\",-1.5)"}\n'
)
CSV = b'time,predicate,a,b\n36,tram,a1,b\n37,tram,"a ""1""",2.5\n'
TURTLE = b'@prefix : <http://a.b/> .\n:x :p "1"^^<http://www.w3.org/2001/XMLSchema#integer> , "t"@en .\n'
PROGRAM = b'#clock 1 s.\n#input p(a: text, b).\n@T q(X) :- @T p(X, Y) [5 s], Y > 1.5, not r("x y") [3 #]. % so\n'
CASES = b"program alarms.lars\ncase hot\n  send 36..46 hot(press)\n  expect 46 alarm(press), not siren\n"
FACT = b'p(a,1,-2,1.5,"two \\"words\\"")'
ALARMS = "alarm(M) :- hot(M) [5].\nsiren :- alarm(_).\n"


def _parquet() -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"time": [1, 2], "a": ["x", "y"], "b": [1.5, None]}), sink)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def _snapshot() -> bytes:
    engine = larspark.Engine(ALARMS)
    engine.advance(3, ["hot(a)", "hot(b)"])
    return engine.snapshot()


def _stream(ending: str) -> Callable[[Path, bytes], None]:
    def read(folder: Path, content: bytes) -> None:
        path = folder / f"p{ending}"
        path.write_bytes(content)
        for chunk in CheckedChunks(read_chunks(path, Rules()), "skip"):
            for block in chunk.blocks:
                assert len(block.times) == len(block)

    return read


def _program(folder: Path, content: bytes) -> None:
    text = content.decode("utf-8", "replace")
    if "#include" not in text:
        assert parse_program(format_program(text)) == parse_program(text)


def _cases(folder: Path, content: bytes) -> None:
    (folder / "alarms.lars").write_text(ALARMS)
    (folder / "a.case").write_bytes(content)
    read_case_file(folder / "a.case")


def _restore(folder: Path, content: bytes) -> None:
    larspark.Engine.restore(content, ALARMS).advance(9, [])


READERS: dict[str, tuple[Callable[[Path, bytes], None], Callable[[], bytes]]] = {
    "JSON lines": (_stream(".jsonl"), lambda: JSON),
    "CSV": (_stream(".csv"), lambda: CSV),
    "Parquet": (_stream(".parquet"), _parquet),
    "RDF": (_stream(".ttl"), lambda: TURTLE),
    "programs": (_program, lambda: PROGRAM),
    "atoms": (lambda _, content: parse_fact(content.decode("utf-8", "replace")) and None, lambda: FACT),
    "case files": (_cases, lambda: CASES),
    "snapshots": (_restore, _snapshot),
}


def damaged(good: bytes, draw: random.Random) -> bytes:
    """A good input with something wrong in one or a few places."""
    found = bytearray(good)
    for _ in range(draw.choice((1, 1, 2, 5))):
        place = draw.randrange(len(found) + 1)
        match draw.randrange(6):
            case 0:
                del found[place : place + draw.choice((1, 2, 20))]
            case 1:
                found[place:place] = draw.randbytes(draw.choice((1, 4)))
            case 2:
                found[place:place] = draw.choice(
                    (b'"', b"\\", b"\n", b"\0", b",", b"{", b"[" * 2000, b"(", b"9" * 400, b"1e999")
                )
            case 3:
                start = draw.randrange(len(found) + 1)
                found[place:place] = found[start : start + 30]
            case 4 if place < len(found):
                found[place] ^= 1 << draw.randrange(8)
            case _:
                del found[place:]
    return bytes(found)


@pytest.mark.parametrize("name", READERS)
def test_good_input_is_read(name: str, tmp_path: Path) -> None:
    read, good = READERS[name]
    read(tmp_path, good())


@pytest.mark.random
@pytest.mark.parametrize("name", READERS)
def test_damaged_input_is_read_or_refused(name: str, tmp_path: Path) -> None:
    read, good = READERS[name]
    seed = 7 if os.environ.get("CI") else random.randrange(1 << 32)
    draw, content, together = random.Random(seed), good(), TOGETHER.get(name, 1)
    for number in range(TRIED // together):
        tried = b"\n".join(damaged(content, draw) for _ in range(together))
        try:
            read(tmp_path, tried)
        except Rejected:
            continue
        except Exception as error:
            raise AssertionError(f"{name}, seed {seed}, input {number}: {tried!r}") from error
