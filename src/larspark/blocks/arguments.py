"""The values of one argument for many atoms: 64-bit numbers, or spellings and the place of each row's among them.

A column with a symbol, a decimal or a larger number in it is spelled as a whole; `spelling` says how. Of spellings that
repeat each stands once, or a few times; where nearly all differ, finding the others is left to whoever looks them up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks.spelling import ESCAPE, read_spelling, spelled
from larspark.language.values import Value

Numbers: TypeAlias = npt.NDArray[np.int64]
Argument: TypeAlias = Numbers | pa.DictionaryArray

SMALLEST, LARGEST = -(2**63), 2**63 - 1
"""What is a number in a column; others are spelled."""

_REPEATING = 2
"""Spellings of which each stands at least so often in a column are worth being found once."""
_SAMPLE = 1024


def argument_of(values: Sequence[Value]) -> Argument:
    """The column of some values."""
    if set(map(type, values)) <= {int}:
        with suppress(OverflowError):
            return np.array(values, np.int64)
    return _spellings_of(values).dictionary_encode()


def _spellings_of(values: Sequence[Value]) -> pa.StringArray:
    if set(map(type, values)) == {str}:
        texts = pa.array(values, pa.string())
        if not pc.any(pc.starts_with(texts, ESCAPE)).as_py():
            return texts
    return pa.array(map(spelled, values), pa.string())


def values_of(column: Argument) -> list[Value]:
    """The values of a column; each spelling is read once."""
    if isinstance(column, np.ndarray):
        found: list[Value] = column.tolist()
        return found
    known = read_spellings(column.dictionary)
    return [known[place] for place in column.indices.to_pylist()]


def read_spellings(texts: pa.StringArray) -> list[Value]:
    """The values of spellings."""
    found: list[Value] = texts.to_pylist()
    return list(map(read_spelling, found)) if pc.any(pc.starts_with(texts, ESCAPE)).as_py() else found  # type: ignore[arg-type]


def taken(column: Argument, rows: Numbers | slice) -> Argument:
    """The values of these rows."""
    if isinstance(column, np.ndarray):
        return column[rows]
    return pa.DictionaryArray.from_arrays(column.indices.to_numpy()[rows], column.dictionary)


def joined(columns: Sequence[Argument]) -> Argument:
    """One column after the other."""
    if len(columns) == 1:
        return columns[0]
    if all(isinstance(column, np.ndarray) for column in columns):
        return np.concatenate(columns)
    parts = [_lean(as_spellings(column)).cast(pa.dictionary(pa.int32(), pa.string())) for column in columns]
    sizes = [len(part.dictionary) for part in parts]
    if _REPEATING * sum(sizes) <= sum(map(len, parts)):
        return pa.chunked_array(parts).unify_dictionaries().combine_chunks()
    before = np.cumsum([0, *sizes[:-1]]).astype(np.int32)
    places = [part.indices.to_numpy() + first for part, first in zip(parts, before, strict=True)]
    return pa.DictionaryArray.from_arrays(np.concatenate(places), pa.concat_arrays([one.dictionary for one in parts]))


def _lean(column: pa.DictionaryArray) -> pa.DictionaryArray:
    """Without spellings that it does not use, where these are many."""
    return compact(column) if _REPEATING * len(column) <= len(column.dictionary) else column


def mostly_different(texts: pa.Array) -> bool:
    """Whether a dictionary would spare little, as far as the first rows tell."""
    first = texts.slice(0, _SAMPLE)
    return bool(_REPEATING * pc.count_distinct(first).as_py() > len(first))


def as_spellings(column: Argument) -> pa.DictionaryArray:
    """The same values, all of them spelled."""
    if not isinstance(column, np.ndarray):
        return column
    distinct, places = np.unique(column, return_inverse=True)
    return pa.DictionaryArray.from_arrays(places.reshape(-1).astype(np.int32), spelled_numbers(distinct))


def spelled_numbers(numbers: Numbers) -> pa.StringArray:
    return pc.binary_join_element_wise(ESCAPE, pa.array(numbers).cast(pa.string()), "")


def compact(column: pa.DictionaryArray) -> pa.DictionaryArray:
    """The same spellings with a dictionary that has no others."""
    indices = column.indices.to_numpy()
    count, size = len(indices), len(column.dictionary)
    if count and count <= size:
        places = np.arange(count, dtype=np.int32)
        first = int(indices[0])
        if int(indices[-1]) - first == count - 1 and (indices[1:] > indices[:-1]).all():
            return pa.DictionaryArray.from_arrays(places, column.dictionary.slice(first, count))
        if _REPEATING * count <= size:  # fewer are asked for than there are, so that finding each once spares little
            return pa.DictionaryArray.from_arrays(places, column.dictionary.take(column.indices))
    used = np.zeros(len(column.dictionary), np.bool_)
    used[indices] = True
    if used.all():
        return column
    places = np.cumsum(used) - 1
    return pa.DictionaryArray.from_arrays(places[indices].astype(np.int32), column.dictionary.filter(pa.array(used)))


def same(one: Argument, other: Argument) -> bool:
    """Whether two columns have the same values in the same rows."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return bool(np.array_equal(one, other))
    return values_of(one) == values_of(other)


def columns_of(rows: Iterable[Sequence[Value]], arity: int) -> tuple[Argument, ...]:
    """The columns of some tuples of arguments."""
    columns = list(zip(*rows, strict=True)) or [()] * arity
    return tuple(map(argument_of, columns))
