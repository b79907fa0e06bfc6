"""The limits on the threat page: they are those of the sources, and what is beyond them is refused, nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from larspark.cases import case_file
from larspark.diagnostics import Rejected
from larspark.intervals.sets import FOREVER
from larspark.language import parser, values
from larspark.language.build import terms
from larspark.language.calendar import Calendar
from larspark.language.parser import parse_fact, parse_program
from larspark.read import reading
from larspark.read.formats import text_lines
from larspark.read.formats.text_lines import chunk_of_lines
from larspark.read.live import socket_lines
from larspark.read.rules import Rules

PAGE = Path(__file__).parents[2] / "docs" / "security.md"

LIMITS = {
    "nesting of a statement": parser._DEEPEST,
    "digits of a number": terms._LONGEST_INTEGER,
    "bits of what arithmetic makes of numbers": values._LARGEST_BITS,
    "a line of a live source": text_lines.LONGEST,
    "atoms in a line of a live source": text_lines.MOST_ATOMS,
    "clients of a socket": socket_lines.MOST_CLIENTS,
    "time points that a line of a case file sends at": case_file.MOST_SENT,
    "chains of `#include`": parser._MOST_INCLUDES,
    "problems that are kept of skipped records": reading.MOST_KEPT,
    "time points": FOREVER,
}


def test_the_page_has_the_limits_of_the_sources() -> None:
    table = PAGE.read_text().partition("## Limits")[2].partition("\n## ")[0]
    rows = re.findall(r"(?m)^\| ([^|]+) \| ([\d,]+)[^|]* \|", table)
    assert {of: int(limit.replace(",", "")) for of, limit in rows} == LIMITS


def codes(line: bytes) -> list[str]:
    """Of what is refused of a line."""
    chunk = chunk_of_lines([line], 1, Rules(live=True, located=True, ordered=False, calendar=Calendar()), "here")
    return [one.diagnostic.code for one in chunk.refused]


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        (b"; ".join([b"a"] * text_lines.MOST_ATOMS), b"; ".join([b"a"] * (text_lines.MOST_ATOMS + 1))),
        (b'p("x; y")', b";".join([b'p("x")'] * (text_lines.MOST_ATOMS + 1))),
        (b"a" * text_lines.LONGEST, b"a" * (text_lines.LONGEST + 1)),
    ],
    ids=["atoms", "quoted atoms", "bytes"],
)
def test_lines(within: bytes, beyond: bytes) -> None:
    assert not codes(within)
    assert codes(beyond) == ["E401"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"p :- {'(' * 200}q{')' * 200}.", "E105"),
        (f"p({'1' * 1001}).", "E106"),
    ],
)
def test_programs(text: str, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        parse_program(text)
    assert code in {one.code for one in caught.value.diagnostics}


def test_nested_atoms() -> None:
    with pytest.raises(Rejected):
        parse_fact("p(" * 5000 + ")" * 5000)
