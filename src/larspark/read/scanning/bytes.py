"""Letters as numbers, one by one and eight at once.

Text is passed by the address of its first letter: inside a loop, handing over an array counts references, which costs
more than looking at a letter does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from larspark.intervals.compiled import inlined

Content: TypeAlias = npt.NDArray[np.uint8]

ZERO, NINE = ord("0"), ord("9")

DIGITS = 18
"""So many fit into 64 bits, whatever they are."""

WIDE = 8
"""Bytes that are looked at together."""


def _load(bits: int) -> Any:
    """Reads so many bits at an address."""

    @intrinsic
    def found(_: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            loaded = builder.load(builder.inttoptr(arguments[0], ir.IntType(bits).as_pointer()))
            loaded.align = 1  # they begin anywhere
            return builder.zext(loaded, ir.IntType(64)) if bits < 64 else loaded

        return types.int64(types.int64), generate

    return found


letter_at = cast("Callable[[int], int]", _load(8))
_wide = cast("Callable[[int], int]", _load(64))


@inlined
def wide_at(place: int, limit: int) -> int:
    """Eight bytes, the first one lowest; zeros behind the limit, where text ends."""
    if place + WIDE <= limit:
        return _wide(place)
    found = 0
    for behind in range(place, limit):
        found |= letter_at(behind) << (8 * (behind - place))
    return found


@inlined
def digits_end(place: int, end: int) -> int:
    """Behind the digits that begin here; the same place if none do."""
    while place < end and ZERO <= letter_at(place) <= NINE:
        place += 1
    return place


@inlined
def first_bytes(wide: int, count: int) -> int:
    """Of eight bytes the first ones, fewer than eight."""
    return wide & ((1 << (8 * count)) - 1)


@inlined
def same_bytes(one: int, other: int, count: int, limit: int) -> bool:
    """Whether so many bytes are the same at two places; all text ends at the limit."""
    while count >= WIDE and _wide(one) == _wide(other):
        one, other, count = one + WIDE, other + WIDE, count - WIDE
    return count < WIDE and first_bytes(wide_at(one, limit) ^ wide_at(other, limit), count) == 0
