"""Poisoned records: whatever a line holds, it is read or refused with a reason, and the rest goes on."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.analysis.pipeline import analyse
from larspark.language.calendar import Calendar
from larspark.language.parser import parse_program
from larspark.read import Refused
from larspark.spark.plan.plan import ProgramVocabulary
from larspark.spark.read.rules import InputSource, rules_for
from larspark.spark.read.texts import LineRows

VOCABULARY = ProgramVocabulary(analyse(parse_program("p(X) :- a(X).")), Calendar())
READER = LineRows("s", rules_for(InputSource("s.jsonl"), VOCABULARY))
GOOD = '{"time": 1, "atom": "a(1)"}'


def read(line: str) -> tuple[int, list[Refused]]:
    """How many atoms there are with a good record before and behind the given one, and what is refused."""
    (chunk,) = READER.chunks(iter([pa.record_batch({"value": [GOOD, line, GOOD]})]))
    return len(chunk), list(chunk.refused)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("[" * 100_000, "E401"),
        ("\0", "E401"),
        ("1" * 5000, "E401"),
        (r'{"time": 1, "predicate": "a", "args": ["\ud800"]}', "E401"),
        (r'{"time": 1, "atom": "a(\"\ud800\")"}', "E401"),
        ('{"time": 1, "predicate": "a", "args": [1E+999999999]}', "E403"),
        ('{"time": 1, "predicate": "a", "args": [1E-999999999]}', "E403"),
        ('{"time": 1, "predicate": "a", "args": [[1]]}', "E403"),
        ('{"time": 1, "atom": "a(' + "(" * 5000 + '"}', "E403"),
        ('{"time": 1000000000000000000000000000000, "atom": "a(1)"}', "E404"),
        ('{"time": 9223372036854775807, "atom": "a(1)"}', "E404"),
        ('{"time": 1e400, "atom": "a(1)"}', "E404"),
        ('{"time": 1, "atom": "p(1)"}', "E409"),
        ('{"time": 1, "atom": "a(1,2)"}', "E410"),
    ],
)
def test_a_poisoned_record_is_refused_alone(line: str, code: str) -> None:
    atoms, (bad,) = read(line)
    assert (atoms, bad.order) == (2, 1)
    assert bad.diagnostic.code == code
    assert bad.record == line


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
records = st.fixed_dictionaries(
    {}, optional={"time": values, "atom": values, "predicate": values | st.just("a"), "args": values}
)


@settings(max_examples=300)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1) | records.map(json.dumps))
def test_no_line_stops_the_others(line: str) -> None:
    atoms, refused = read(line)
    assert atoms + len(refused) == (3 if line.encode().strip() else 2)
    assert atoms >= 2
