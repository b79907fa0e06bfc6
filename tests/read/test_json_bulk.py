"""Many JSON lines at once give what each line gives alone: the same atoms, errors and places."""

from __future__ import annotations

import io
import json
from typing import Any
from unittest.mock import patch

from hypothesis import example, given, settings
from hypothesis import strategies as st

from larspark.language.calendar import Calendar
from larspark.read import Chunk, Rules
from larspark.read.batch import ChunkMaker
from larspark.read.formats import json_lines
from larspark.read.formats.json_lines import JsonLines
from larspark.read.formats.lines import Lines, cut_lines, read_lines
from support.chunks import arrivals

ATOMS = st.sampled_from(
    [
        *(
            "a",
            "a(1)",
            "a(1,2)",
            "b(x,-2)",
            "b(007,1.50)",
            " a( 1 ) ",
            'c("x y",1)',
            "p(true)",
            "not",
            "p(X)",
            "p(",
            "",
            "a;b",
        ),
        *(
            "ä",
            'p("ä")',
            "p(12345678901234567890)",
            "p(-0)",
            "p(-0.0)",
            "p(0.10)",
            "a(1)\n",
            "a(1) ",
            'p("\0")',
            "p(é,1)",
            "in(x)",
        ),
        *(
            "p(1,2,3)",
            "p(a,b,c)",
            'p("a,b",c)',
            'p("(")',
            "p(a,)",
            "p(-)",
            "p(1.)",
            "p(a-1)",
            "P(1)",
            "p()",
            "_p(1)",
            "p(_)",
        ),
    ]
)
TIMES = st.integers(0, 5) | st.sampled_from(
    [-1, 2**60, 2**63, 10**30, 1.0, 2.5, True, None, "3", " 4 ", "1970-01-01T00:00:05Z", "soon", [1], {}, 1e300]
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=3,
)
PLAIN = st.builds(lambda time, atom: json.dumps({"time": time, "atom": atom}), st.integers(0, 5), ATOMS)
RECORDS = st.dictionaries(st.sampled_from(["time", "atom", "predicate", "args", "x"]), VALUES, max_size=4)
ODD = st.builds(lambda time, atom, more: json.dumps({"time": time, **more, "atom": atom}), TIMES, ATOMS, RECORDS)
FREE = st.builds(lambda record, ascii: json.dumps(record, ensure_ascii=ascii), RECORDS, st.booleans())
NAMED = st.builds(
    lambda time, args: json.dumps({"time": time, "predicate": "q", "args": args}),
    TIMES,
    st.lists(VALUES, max_size=3),
)
STRANGE = st.sampled_from(
    [
        "",
        " ",
        '{"time": 1, "atom": "a"} ',
        '  {"time": 1, "atom": "a"}',
        '{"time": 1, "atom": "a"}\r',
        '{"time": 1, "atom": "a"}\r{"time": 1, "atom": "a"}',
        '{"time": 1, "atom": "a"}{"time": 2, "atom": "b"}',
        '{"time": 1, "atom": "a", "time": 2}',
        '{"time": 1, "atom": "a", "atom": "b"}',
        '{"time": 1, "atom": "a", "x": 1, "x": 2}',
        '{"time": 1, "atom": "a", "x": NaN}',
        '{"time": Infinity, "atom": "a"}',
        '{"time": 1, "atom": "a", "x": Inf}',
        '{"time": 1, "atom": "a", "x": "\\ud800"}',
        '{"time": 1, "atom": "p(\\"\\ud83d\\ude00\\")"}',
        '{"t\\u0069me": 1, "atom": "\\u0061(1)"}',
        '{"time": 1, "atom": "a", "x": "\\u0000"}',
        '{"time": 1, "atom": "a", "x": 1e999}',
        '{"time": 1e0, "atom": "a"}',
        '{"time": 01, "atom": "a"}',
        '{"time": 1, "atom": "a", "x": ' + "9" * 5000 + "}",
        '{"time": 1, "atom": "a", "x": ' + "9" * 500 + "}",
        '{"time": 1, "atom": "a", "x": ' + "[" * 5000 + "]" * 5000 + "}",
        '{"time": 1, "atom": "a"',
        '{"x": {}',
        '{"x": [{}',
        "{}]}",
        "{}",
        "}{",
        "{",
        "}",
        "[1]",
        "5",
        '{"time": 1, "atom": "a\tb"}',
        '{"time": 1, "atom": "a\0"}',
        "{'time': 1}",
        '{"time": 1, "atom": "a",}',
        '{"time": 1, "atom": "a"} // }',
        '\ufeff{"time": 1, "atom": "a"}',
    ]
).map(lambda text: text)
LINES = st.one_of(PLAIN, PLAIN, PLAIN, ODD, FREE, NAMED, STRANGE).map(
    lambda line: line.encode("utf-8", "surrogatepass")
)
FILES = st.tuples(
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.lists(LINES | st.sampled_from([b'{"time": 1, "atom": "a", "x": "\xff"}', b"\xff"]), max_size=12),
    st.sampled_from([b"\n", b"\n", b"\r\n"]),
    st.sampled_from([b"", b"\n"]),
).map(lambda drawn: drawn[0] + drawn[2].join(drawn[1]) + drawn[3])
RULES = st.builds(
    Rules,
    calendar=st.sampled_from([None, Calendar()]),
    timed=st.sampled_from([True, True, False]),
    live=st.sampled_from([False, False, True]),
    ordered=st.booleans(),
)


MODELS = st.sampled_from(
    [
        b'{"time": %d, "atom": "%s"}',
        b'{"time":%d,"atom":"%s"}\r',
        b'{"x": "a quite long text", "time": %d , "y": -1.5, "atom": "%s", "z": null} ',
        b'{"atom": "%.0s", "time": %d, "atom": "%s"}',
    ]
)
CHANGES = st.tuples(
    st.integers(0, 80), st.sampled_from([b"", b'"', b"\\", b"\t", b"0", b"9", b" ", b",", b"}", b"x", b"\xc3"])
)


@st.composite
def alike(draw: st.DrawFn) -> bytes:
    """Lines that differ in time and atom alone, but for a byte here and there."""
    model, found = draw(MODELS), []
    for _ in range(draw(st.integers(2, 10))):
        time, atom = draw(st.integers(0, 12) | st.just(10**17)), draw(ATOMS).encode()
        line = model % ((time, atom) if model.count(b"%") == 2 else (atom, time, atom))
        if draw(st.integers(0, 3)) == 0:
            place, letter = draw(CHANGES)
            line = line[:place] + letter + line[place + draw(st.integers(0, 1)) :]
        found.append(line)
    return b"\n".join(found) + draw(st.sampled_from([b"", b"\n"]))


def read(content: bytes, rules: Rules, few: int, size: int) -> list[Chunk]:
    with patch.object(json_lines, "FEW", few):
        reader, maker = JsonLines(rules), ChunkMaker(rules)
        return [maker.chunk(reader.batch(lines)) for lines in read_lines(io.BytesIO(content), "f", size)]


@settings(max_examples=300)
@given(FILES, RULES, st.sampled_from([1, 20, 200, 10_000]))
@example(b'{"x": [{}\n{}]}\n{"time": 1, "atom": "a"}{"time": 1, "atom": "b"}\n', Rules(), 10_000)
@example(b'{"time": 1, "atom": "a", "x": %s}\n' % (b"9" * 5000) + b'{"time": 1, "atom": "b"}\n' * 3, Rules(), 10_000)
def test_bulk_is_line_by_line(content: bytes, rules: Rules, size: int) -> None:
    bulk, single = read(content, rules, 2, size), read(content, rules, 10**9, 10_000)
    assert arrivals(*bulk) == arrivals(*single)
    assert [one for chunk in bulk for one in chunk.refused] == [one for chunk in single for one in chunk.refused]
    for chunk in bulk:
        assert len({block.signature for block in chunk.blocks}) == len(chunk.blocks)
        assert all((block.order[1:] > block.order[:-1]).all() for block in chunk.blocks if block.order is not None)


@settings(max_examples=300)
@given(alike(), RULES)
@example(b'{"time": 1, "atom": "a"}\n{"time": 2, "atom": "b"\n', Rules())
@example(b'{"time": 1, "atom": "a"}\n{"time": 2, "atom": "b\\u0061"}\n{"time": 03, "atom": "b"}', Rules())
def test_lines_that_are_nearly_alike(content: bytes, rules: Rules) -> None:
    bulk, single = read(content, rules, 2, 10_000), read(content, rules, 10**9, 10_000)
    assert arrivals(*bulk) == arrivals(*single)
    assert [one for chunk in bulk for one in chunk.refused] == [one for chunk in single for one in chunk.refused]


@given(st.lists(st.sampled_from([b"", b"a", b"bcd", b"e" * 9]), max_size=8), st.booleans(), st.integers(1, 12))
def test_lines_are_cut(texts: list[bytes], ended: bool, size: int) -> None:
    content = b"\n".join(texts) + b"\n" * ended
    pieces = list(cut_lines(content, "f", size))
    assert b"".join(piece.content for piece in pieces) == content
    assert [piece.first for piece in pieces] == [1 + content[:at].count(b"\n") for at in places_of(pieces)]
    assert all(piece.content.endswith(b"\n") for piece in pieces[:-1])


def places_of(pieces: list[Lines]) -> list[int]:
    return [sum(len(piece.content) for piece in pieces[:number]) for number in range(len(pieces))]


def test_plain_lines_are_not_read_one_by_one() -> None:
    content = b"".join(b'{"time": %d, "atom": "a(%d,x)"}\n' % (place, place) for place in range(1000)) + b"broken\n"
    with patch.object(json_lines, "read_json", wraps=json_lines.read_json) as one_by_one:
        (chunk,) = read(content, Rules(), json_lines.FEW, 1 << 20)
    assert len(chunk) == 1000
    assert one_by_one.call_count == 1
