"""Values and codes, one by one and many at once."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from larspark.blocks.spelling import read_spelling, spelled
from larspark.language.values import Value
from larspark.reasoners.interval.state.dictionary import FILLER, Dictionary
from larspark.reasoners.interval.state.texts import Texts


@pytest.mark.parametrize(
    "values",
    [
        [1, -2, 3, 0],
        ["a", "b", "a"],
        ["a", 1, Decimal("1.5")],
        [1, 2**61, -(2**61)],
        [1, 2**80],
        [],
    ],
    ids=str,
)
def test_many_values_are_coded_like_single_ones(values: list[Value]) -> None:
    together, one_by_one = Dictionary(), Dictionary()
    codes = [one_by_one.encode(value) for value in values]
    assert together.encode_all(values).tolist() == codes
    assert together.encode_all(values).tolist() == codes, "known values keep their codes"
    assert list(together.decode_all(np.array(codes, np.int64))) == values


TEXTS = st.text(alphabet="ab\0ä", max_size=20)
VALUES = (
    TEXTS | st.integers() | st.decimals(-9, 9, places=1).filter(lambda number: number != number.to_integral_value())
)


@given(st.lists(st.lists(TEXTS)))
def test_texts_are_numbered_in_the_order_in_which_they_come(parts: list[list[str]]) -> None:
    texts, known = Texts(), dict[str, int]()
    for part in parts:
        expected = [known.setdefault(text, len(known)) for text in part]
        assert texts.numbers(pa.array(["", *part], pa.string())[1:]).tolist() == expected
        assert texts.take(np.array(expected, np.int64)).to_pylist() == part
    assert [texts[number] for number in range(len(texts))] == list(known)


def test_texts_stay_where_they_are_when_there_are_many_more() -> None:
    texts = Texts()
    few = texts.take(texts.numbers(pa.array(["one", "two"])))
    many = [f"text {number} of many, all of them long enough for several words" for number in range(10_000)]
    assert texts.numbers(pa.array([*many, "two", many[7]])).tolist() == [*range(2, 10_002), 1, 9]
    assert few.to_pylist() == ["one", "two"]
    assert texts.take(np.arange(2, 10_002)[::-1]).to_pylist() == many[::-1]


@given(st.lists(VALUES), st.lists(VALUES), st.lists(VALUES))
def test_columns_and_values_have_the_same_codes(first: list[Value], column: list[Value], last: list[Value]) -> None:
    plain, mixed = Dictionary(), Dictionary()
    codes = [plain.encode(value) for value in (*first, *column, *last)]
    found = [mixed.encode(value) for value in first]
    found += mixed.encode_spellings(pa.array(map(spelled, column), pa.string())).tolist()
    found += mixed.encode_all(last).tolist()
    assert [[a == b for b in codes] for a in codes] == [[a == b for b in found] for a in found]
    everything = [*first, *column, *last]
    assert list(mixed.decode_all(np.array(found, np.int64))) == everything
    assert [mixed.decode(code) for code in found] == everything
    spellings = mixed.spellings(np.array(found, np.int64)).to_pylist()
    assert [read_spelling(text) for text in spellings] == everything
    assert plain.translate(np.array(codes, np.int64), mixed).tolist() == found
    assert mixed.translate(np.array(found, np.int64), plain).tolist() == codes
    assert Dictionary(mixed.values()).encode_all(everything).tolist() == found


def test_the_filler_is_no_value() -> None:
    known = Dictionary()
    known.encode_spellings(pa.array(["a"]))
    with pytest.raises(ValueError, match="filler"):
        known.decode(FILLER)
    with pytest.raises(ValueError, match="filler"):
        list(known.decode_all(np.full(10, FILLER)))
