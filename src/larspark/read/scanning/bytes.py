"""Letters as numbers, one by one and eight at once.

Text is passed by the address of its first letter, and so are rows of numbers: inside a loop, handing over an array
counts references, which costs more than looking at a letter does.
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

EACH, HIGHEST = 0x0101010101010101, -0x7F7F7F7F7F7F7F80
"""The lowest and the highest bit of each of eight bytes."""


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


@intrinsic
def _zeros_below(_: Any, bits: Any) -> Any:
    """How many bits are zero below the lowest one that is not."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def _store(_: Any, address: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[1], builder.inttoptr(arguments[0], ir.IntType(64).as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


letter_at = cast("Callable[[int], int]", _load(8))
number_at = cast("Callable[[int], int]", _load(64))
put_number = cast("Callable[[int, int], None]", _store)
_lowest_bit = cast("Callable[[int], int]", _zeros_below)


@inlined
def wide_at(place: int, limit: int) -> int:
    """Eight bytes, the first one lowest; zeros behind the limit, where text ends."""
    if place + WIDE <= limit:
        return number_at(place)
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
def bytes_like(wide: int, letter: int) -> int:
    """The highest bits of those of eight bytes that are this letter of ASCII."""
    other = wide ^ (EACH * letter)
    return ~(((other & ~HIGHEST) + ~HIGHEST) | other | ~HIGHEST)


@inlined
def lowest_byte(bits: int) -> int:
    """Which of eight bytes is the first one with a bit; there is one."""
    return _lowest_bit(bits) >> 3


@inlined
def same_bytes(one: int, other: int, count: int, limit: int) -> bool:
    """Whether so many bytes are the same at two places; all text ends at the limit."""
    while count >= WIDE and number_at(one) == number_at(other):
        one, other, count = one + WIDE, other + WIDE, count - WIDE
    return count < WIDE and first_bytes(wide_at(one, limit) ^ wide_at(other, limit), count) == 0
