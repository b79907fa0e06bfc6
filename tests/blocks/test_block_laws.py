"""Splitting and merging, packing and unpacking, ordering: what every user of blocks relies on."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from larspark.blocks import Block, merge
from larspark.blocks.packing import pack, unpack
from larspark.blocks.spelling import ESCAPE, read_spelling, spelled
from larspark.language.facts import Signature
from larspark.language.values import normal

NUMBERS = st.integers(-3, 3) | st.integers(-(2**63), 2**63 - 1)
DECIMALS = st.decimals(-100, 100, places=3).map(normal)
TEXTS = st.text(max_size=4) | st.text(max_size=2).map(lambda text: ESCAPE + text) | st.sampled_from(["1", "-2.5", "x"])
LARGE = st.integers(2**63, 2**70) | st.integers(-(2**70), -(2**63) - 1)
COLUMNS = (NUMBERS, DECIMALS, TEXTS, LARGE, NUMBERS | TEXTS | DECIMALS)


@st.composite
def blocks(draw: st.DrawFn, *, in_order: bool = False, length: int = 12) -> Block:
    kinds = draw(st.lists(st.sampled_from(COLUMNS), max_size=3))
    rows = draw(st.lists(st.tuples(st.integers(0, 9), st.tuples(*kinds)), max_size=length))
    if in_order:
        rows.sort(key=lambda row: row[0])
    block = Block.of(Signature("p", len(kinds)), rows)
    if draw(st.booleans()):
        block = block.numbered(draw(st.integers(0, 5)))
    return block


@given(st.one_of(*COLUMNS))
def test_spellings_mean_one_value(value: int | Decimal | str) -> None:
    assert read_spelling(spelled(value)) == value


@given(blocks(in_order=True), st.integers(-1, 11))
def test_what_is_split_can_be_merged(block: Block, time: int) -> None:
    before, after = block.split(time)
    assert len(before) == int((block.times < time).sum())
    assert merge([before, after]) == block


@given(blocks(in_order=True), st.integers(1, 5))
def test_what_is_cut_can_be_merged(block: Block, size: int) -> None:
    pieces = list(block.cut(size))
    assert all(len(piece) <= size for piece in pieces)
    assert not pieces or merge(pieces) == block


@given(blocks(), st.booleans())
def test_what_is_packed_can_be_unpacked(block: Block, compress: bool) -> None:
    assert unpack(pack(block, compress=compress), block.signature) == block


@given(blocks())
def test_ordering_is_stable(block: Block) -> None:
    facts = list(zip(block.times.tolist(), block.facts(), strict=True))
    ordered = block.ordered()
    assert list(zip(ordered.times.tolist(), ordered.facts(), strict=True)) == sorted(facts, key=lambda row: row[0])


@given(st.lists(blocks(in_order=True).filter(lambda block: block.signature.arity == 1), min_size=1, max_size=4))
def test_merging_keeps_every_row(parts: list[Block]) -> None:
    plain = [Block(one.signature, one.times, one.arguments) for one in parts]
    rows = [row for one in plain for row in zip(one.times.tolist(), one.facts(), strict=True)]
    merged = merge(plain)
    assert list(zip(merged.times.tolist(), merged.facts(), strict=True)) == sorted(rows, key=lambda row: row[0])


def test_conclusions_keep_their_intervals() -> None:
    columns = [np.array(numbers, np.int64) for numbers in ([3, 1], [5, 2**40], [7, 7])]
    block = Block(Signature("p", 0), columns[0], (), columns[1], columns[2])
    assert unpack(pack(block), block.signature) == block
    assert block.ordered() == block.take(np.array([1, 0]))
