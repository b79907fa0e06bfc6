"""CSV: many lines at once give the same rows as Python's reader, which knows cells of several lines."""

from __future__ import annotations

import io
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.calendar import Calendar
from larspark.language.facts import Signature
from larspark.language.tree import ColumnType, Input
from larspark.read import Chunk, Rules
from larspark.read.formats import csv_tables
from larspark.read.formats.csv_tables import read_csv
from support.chunks import arrivals, refused

CELLS = st.sampled_from(["1", "2", "a", "", " ", "x y", "-2.50", "007", "1970-01-01T00:00:03Z", "a(1)", "p(", "\u00e4"])
QUOTED = st.sampled_from(['"a"', '"x,y"', '"say ""hi"""', '""', '""""', '"b(1,x)"', '"two\nlines"'])
NUMBERS = st.sampled_from(
    [
        "0",
        "-0",
        "-7",
        "+7",
        "-",
        "--1",
        "1-",
        "12345678",
        "123456789",
        "9" * 17,
        "9" * 18,
        "9" * 19,
        "-" + "9" * 18,
        "1/2",
    ]
)
WORDS = st.sampled_from(["seven77", "eight888", "eight889", "nine99999", "sixteen-letters!", "sixteen-letters?"])
STRANGE = st.sampled_from(['a"b', '5" disk', '"a"b', '"open', "\udcff", '"\udcff"', "\0", "a\rb"])
PLAIN = st.lists(CELLS | NUMBERS | WORDS, min_size=1, max_size=4).map(",".join)
LINES = (
    PLAIN
    | st.lists(CELLS | QUOTED | STRANGE, min_size=1, max_size=4).map(",".join)
    | st.sampled_from(["", " ", ",", "3,a,1", "3,b,2"])
)
HEADERS = st.sampled_from(
    ["time,x,y", "time,predicate,x", "time,atom,x", "x,time", '"time","x\ny",z', "time", "", " time , x "]
)
FILES = st.tuples(
    st.sampled_from(["", "\ufeff"]),
    HEADERS,
    st.lists(LINES, max_size=8) | st.lists(PLAIN, max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
).map(
    lambda drawn: (drawn[0] + drawn[3].join([drawn[1], *drawn[2]]) + drawn[3] * drawn[4]).encode(
        "utf-8", "surrogateescape"
    )
)
TYPED = [
    {Signature("p", 2): Input(Signature("p", 2), ("x", "y"), kinds)}
    for kinds in (
        (ColumnType.TEXT, ColumnType.INTEGER),
        (ColumnType.TIME, ColumnType.NUMBER),
        (ColumnType.BOOLEAN, None),
    )
]
RULES = st.builds(
    Rules,
    calendar=st.sampled_from([None, Calendar()]),
    timed=st.booleans(),
    ordered=st.booleans(),
    columns=st.sampled_from([{}, {}, {"p": ("x",)}]),
    arity=st.sampled_from([None, None, 2]),
    typed=st.sampled_from([{}, {}, *TYPED]),
)


def read(content: bytes, rules: Rules = Rules(), size: int = 1 << 20) -> tuple[list[Chunk], tuple[Diagnostic, ...]]:  # noqa: B008
    """The chunks, and why there are no more."""
    chunks: list[Chunk] = []
    try:
        chunks.extend(read_csv(io.BytesIO(content), "f", "p", rules, size))
    except Rejected as rejected:
        return chunks, rejected.diagnostics
    return chunks, ()


@settings(max_examples=400)
@given(FILES, RULES, st.sampled_from([1, 5, 30, 10_000]))
@example(b'time,x\n1,"a\nb"\n2,c\n', Rules(), 5)
@example(b"time,x\n1,-5\n2,,\n\n3,eight888", Rules(), 10_000)
def test_bulk_is_row_by_row(content: bytes, rules: Rules, size: int) -> None:
    """By compiled code, by Arrow, and by Python's reader."""
    with patch.object(csv_tables, "_cell_counts", return_value=None):
        single, end = read(content, rules)
    for few in (0, 1 << 20):
        with patch.object(csv_tables, "FEW", few):
            bulk, other_end = read(content, rules, size)
        assert end == other_end
        assert arrivals(*bulk) == arrivals(*single)
        assert [one for chunk in bulk for one in chunk.refused] == [one for chunk in single for one in chunk.refused]


def test_many_plain_lines_are_scanned() -> None:
    """More distinct texts than there is room for at first, and a line too few."""
    rows = [(number // 7, f"machine{number * 7919 % 5000}", number % 100 - 50) for number in range(20_000)]
    lines = [f"{time},{name},{value}" for time, name, value in rows]
    content = "\r\n".join(["time,x,y", *lines[:10_000], "5,odd", "", *lines[10_000:], ""]).encode()
    with patch.object(csv_tables.CsvTable, "_split", side_effect=AssertionError):
        chunks, _ = read(content)
    found = [(time, atom) for _, time, atom in arrivals(*chunks)]
    assert found == [(time, f"p({name},{value})") for time, name, value in rows]
    assert refused(*chunks) == [(10_000, "E401", "f:10002:1")]


def test_plain_lines_are_split_at_once() -> None:
    content = b'time,x,y\n1,a,"b,c"\n\n2,d\n3,"say ""hi""",-2.50\n'
    with patch.object(csv_tables, "split_rows", wraps=csv_tables.split_rows) as singly:
        chunks, _ = read(content)
    assert singly.call_count == 1  # the header
    assert arrivals(*chunks) == [(0, 1, 'p(a,"b,c")'), (2, 3, 'p("say \\"hi\\"",-2.5)')]
    assert refused(*chunks) == [(1, "E401", "f:4:1")]


@pytest.mark.parametrize("size", [1, 20, 1000])
def test_cells_of_several_lines_keep_the_numbers_of_lines(size: int) -> None:
    chunks, end = read(b'time,x\n1,"a\nb\n\nc"\nsoon,d\n2,"e', size=size)
    assert arrivals(*chunks) == [(0, 1, 'p("a\\nb\\n\\nc")')]
    assert refused(*chunks) == [(1, "E404", "f:6:1")]
    assert [str(found.origin) for found in end] == ["f:7:1"]


def test_the_record_can_be_fed_again() -> None:
    chunks, _ = read(b'time,x\n1,a\n\nsoon,"b\nc"\n3,\xff\r\n')
    assert [one.record for chunk in chunks for one in chunk.refused] == ['soon,"b\nc"', "3,\\xff"]


@pytest.mark.parametrize("quoted", [b"", b'2,"c\nd",7\n'])
def test_a_bad_cell_is_told_with_its_column(quoted: bytes) -> None:
    """In plain lines, and where cells of several lines make rows be split one by one."""
    chunks, _ = read(b"time,machine,celsius\n1,press,\n" + quoted)
    (found,) = [one.diagnostic for chunk in chunks for one in chunk.refused]
    assert found.message == "The cell of `celsius` holds nothing."


def test_a_name_that_is_no_text_is_told_as_far_as_it_is() -> None:
    chunks, _ = read(b"time,machine,cel\xa5sius\n1,press,\n")
    (found,) = [one.diagnostic for chunk in chunks for one in chunk.refused]
    assert found.message == "The cell of `cel\ufffdsius` holds nothing."
