"""Blocks as the typed columns of result tables."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pyarrow as pa
import pytest

from larspark.analysis.typing.sorts import ANYTHING, FLOATING, WHOLE, Sort
from larspark.blocks import Block
from larspark.diagnostics import Rejected
from larspark.language.facts import Signature
from larspark.language.values import Value
from larspark.spark.write.frames import TableRows


def opened(sort: Sort, *values: Value) -> pa.Table:
    block = Block.of(Signature("p", 1), [(time, (value,)) for time, value in enumerate(values)])
    return TableRows("p", block.signature, {"x": sort}, changes=False).rows(replace(block, until=block.times))


@pytest.mark.parametrize(
    ("sort", "values", "kind"),
    [
        (WHOLE, [3, -(2**63)], pa.int64()),
        (Sort(scale=2), [Decimal("1.25"), 7, Decimal("-0.5")], pa.decimal128(38, 2)),
        (FLOATING, [Decimal("0.1"), 3], pa.float64()),
        (ANYTHING, ["x", 7, Decimal("1.5"), 2**70], pa.string()),
    ],
)
def test_types(sort: Sort, values: list[Value], kind: pa.DataType) -> None:
    table = opened(sort, *values)
    assert table.schema.field("x").type == kind
    assert table.column_names == ["x", "from", "to", "at"]
    expected = [str(one) for one in values] if sort is ANYTHING else values
    assert table.column("x").to_pylist() == ([float(one) for one in values] if sort is FLOATING else expected)


@pytest.mark.parametrize(
    ("sort", "value"),
    [(WHOLE, 2**63), (WHOLE, "x"), (WHOLE, Decimal("1.5")), (Sort(scale=1), Decimal("1.25")), (FLOATING, 2**53 + 1)],
)
def test_what_a_type_cannot_hold_is_never_changed(sort: Sort, value: Value) -> None:
    with pytest.raises(Rejected) as caught:
        opened(sort, value)
    assert caught.value.diagnostics[0].code == "E613"
    assert "column `x` of p" in caught.value.diagnostics[0].message
