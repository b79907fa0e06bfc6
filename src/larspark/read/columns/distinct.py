"""Rules about one value, applied to a column: each distinct value is looked at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pyarrow as pa

from larspark.blocks import Numbers
from larspark.read.columns.arrays import objects

Result = TypeVar("Result")


def judge_distinct(column: pa.Array, rule: Callable[[object], Result]) -> tuple[list[Result], Numbers]:
    """What a rule says of the values of a column; and for each row, which of these judgements is its own."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    try:
        coded = column.dictionary_encode(null_encoding="encode")
    except pa.ArrowNotImplementedError:  # nested values
        return [rule(value) for value in objects(column)], np.arange(len(column))
    found = [rule(value) for value in objects(coded.dictionary)]
    return found, np.asarray(coded.indices.to_numpy(), np.int64)
