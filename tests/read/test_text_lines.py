"""Lines of live sources: many at once give what each gives alone."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.language.calendar import Calendar
from larspark.read import Chunk, Rules, chunk_of_lines
from larspark.read.formats import text_lines
from larspark.read.formats.text_lines import LONGEST
from support.chunks import arrivals, refused, timed

LIVE = Rules(live=True, located=True, ordered=False, calendar=Calendar())

ATOMS = st.sampled_from(
    ["a", "a(1)", "b(x,-2.50)", "a(007)", "p(true)", "p(", "X", 'c("x;y")', " a( 1 ) ", "", "not", "ä"]
)
STARTS = st.sampled_from(["", "", "@3 ", "@ 4 ", "@1970-01-01T00:00:05Z ", "@soon ", "@-1 ", "@007 ", "@3\t", "@", " "])
TEXTS = st.builds(lambda start, parts: start + "; ".join(parts), STARTS, st.lists(ATOMS, min_size=1, max_size=3))
JSON = st.sampled_from(
    ['{"time": 1, "atom": "a(2)"}', '{"atom": "b(x)"}', '{"atom": "p("}', "{", '{"time": 2, "atom": "a"} ']
)
OTHERS = st.sampled_from(["", "  ", "% comment", "// comment", "a(1);b(2)", "@3 a(1);b(2)", "a(1)\r", "\udcff"])
LINES = st.lists(st.one_of(TEXTS, TEXTS, JSON, OTHERS), max_size=10) | st.lists(JSON, max_size=10)


def encoded(lines: list[str]) -> list[bytes]:
    return [line.encode("utf-8", "surrogateescape") for line in lines]


@settings(max_examples=400)
@given(LINES, st.booleans(), st.booleans())
def test_bulk_is_line_by_line(lines: list[str], timed: bool, live: bool) -> None:
    def read(few: int) -> Chunk:
        with patch.object(text_lines, "FEW", few):
            return chunk_of_lines(encoded(lines), 5, Rules(Calendar(), timed=timed, live=live, ordered=False), "f", 7)

    bulk, single = read(2), read(10**9)
    assert arrivals(bulk) == arrivals(single)
    assert bulk.refused == single.refused


def test_plain_lines_are_not_read_one_by_one() -> None:
    lines = [b"@%d a(%d); b(x)" % (place // 2, place) for place in range(1000)] + [b"% the end"]
    with patch.object(text_lines, "read_line", wraps=text_lines.read_line) as one_by_one:
        assert len(chunk_of_lines(lines, 1, LIVE, "f")) == 2000
    assert one_by_one.call_count == 1


@pytest.mark.parametrize(
    ("line", "atoms"),
    [
        (b"a", [(-1, "a")]),
        (b"a(1); b(x)\r", [(-1, "a(1)"), (-1, "b(x)")]),
        (b'@7 a("x; y"); b', [(7, 'a("x; y")'), (7, "b")]),
        (b'{"atom": "a(1)"}', [(-1, "a(1)")]),
        (b'{"time": 3, "predicate": "a", "args": [1, "z"]}', [(3, "a(1,z)")]),
        (b"  % nothing", []),
        (b"", []),
    ],
)
def test_lines(line: bytes, atoms: list[tuple[int, str]]) -> None:
    chunk = chunk_of_lines([line], 1, LIVE, "here")
    assert not chunk.refused
    assert timed([chunk]) == atoms


@pytest.mark.parametrize("line", [b"a(", b"a;;b", b"a(X)", b"@x a", b"@-1 a", b"{", b"\xff", b"a" * (LONGEST + 1)])
def test_bad_lines(line: bytes) -> None:
    chunk = chunk_of_lines([line], 12, LIVE, "here")
    assert [str(one.diagnostic.origin).split(":")[:2] for one in chunk.refused] == [["here", "12"]]


def test_one_bad_atom_refuses_its_line() -> None:
    chunk = chunk_of_lines([b"a(1); p(X)", b"b"], 3, LIVE, "f", 10)
    assert arrivals(chunk) == [(11, -1, "b")]
    assert refused(chunk) == [(10, "E403", "f:3:1")]
    assert chunk.refused[0].record == "a(1); p(X)"


def test_atoms_can_be_located() -> None:
    chunk = chunk_of_lines([b"a; b", b"", b"c"], 3, LIVE, "f", 10)
    assert chunk.located is not None
    assert [str(chunk.located.origin(order)) for order in (10, 11, 12)] == ["f:3:1", "f:3:1", "f:5:1"]
