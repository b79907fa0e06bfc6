"""Columns of typed values as arguments: what is plainly right in one go, the rest by the rules for one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Argument, Numbers
from larspark.blocks.arguments import argument_of, joined, mostly_different, taken
from larspark.blocks.spelling import ESCAPE, spelled
from larspark.diagnostics import Diagnostic
from larspark.language.values import Value
from larspark.read.columns.arrays import (
    Rows,
    floats_of,
    given_rows,
    is_text,
    numbers_of,
    plain_array,
    true_rows,
    whole_numbers,
)
from larspark.read.columns.distinct import judge_distinct
from larspark.read.values.values import NotAValue, bad_cell, from_cell, from_object, from_word

_PLAIN = r"^-?(0|[1-9][0-9]{0,16})(\.[0-9]{1,17})?$"
"""Numbers that keep all of their digits, without zeros in front."""
_NEGATIVE_ZERO = r"^-0(\.0*)?$"
_WHOLE = r"^-?[0-9]{1,18}$"
_ANY = spelled(0)
"""Stands where there is no value."""
_NO_VALUE = r"^[ \t\r\n\f\v]*([+-]?(nan|inf|infinity))?[ \t\r\n\f\v]*$"
_LIKE_A_NUMBER = r"^-?[0-9]"
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SAFE_LETTERS = _LETTERS.translate(None, b"nNiI")
"""What texts begin with that are symbols; of the others also those that are no numbers, `nan` and `inf`."""


@dataclass(frozen=True)
class Cells:
    """The arguments of some rows, and what is wrong with those that have none (any value stands there)."""

    column: Argument
    faults: Mapping[int, Diagnostic] = field(default_factory=dict)


def typed_cells(column: pa.Array) -> Cells:
    """The values of a column with a type."""
    column = plain_array(column)
    found = _typed(column)
    if found is None:
        return _by_rule(column, from_object)
    return _completed(column, *found, from_object)


def text_cells(column: pa.Array) -> Cells:
    """The values of cells of text, or of whole numbers; an empty one and a number that is none have no value."""
    if pa.types.is_int64(column.type):
        return Cells(numbers_of(column))
    return _texts(column, _cell, _NO_VALUE)


def words(column: pa.Array) -> Cells:
    """The values of the arguments of atoms that are plainly spelled."""
    return _texts(column, _word, None)


def _texts(column: pa.Array, rule: Callable[[object], Value], none: str | None) -> Cells:
    """The values of texts among which those that look like numbers are numbers, and those like `none` are not plain."""
    coded = column.dictionary_encode()
    texts = coded.dictionary
    if not column.null_count and _all(pc.match_substring_regex(texts, _WHOLE)):
        return Cells(numbers_of(texts.cast(pa.int64()))[_indices(coded)])
    if not len(texts):
        return _by_rule(column, rule)
    if not column.null_count and _all_symbols(texts, _LETTERS if none is None else _SAFE_LETTERS):
        return Cells(coded)
    symbols = true_rows(pc.invert(pc.match_substring_regex(texts, _LIKE_A_NUMBER)))
    if none is not None:
        symbols &= ~true_rows(pc.match_substring_regex(texts, none, ignore_case=True))
    plain = _plain_numbers(texts)
    spellings = pc.if_else(pa.array(plain), _spelled_numbers(texts), _escaped(texts))
    known = pa.DictionaryArray.from_arrays(coded.indices.fill_null(0), spellings)
    return _completed(column, known, (symbols | plain)[_indices(coded)] & given_rows(column), rule)


def _cell(value: object) -> Value:
    return from_cell(value) if isinstance(value, str) else from_object(value)


def _word(value: object) -> Value:
    return from_word(value) if isinstance(value, str) else from_object(value)


# -- what is plainly right -----------------------------------------------------------------------------


def _typed(column: pa.Array) -> tuple[Argument, Rows] | None:
    """The column with values in the rows that are plainly right, and which these are; None: no row is."""
    kind, valid = column.type, given_rows(column)
    if pa.types.is_signed_integer(kind) or (pa.types.is_unsigned_integer(kind) and kind.bit_width < 64):
        return whole_numbers(column), valid
    if pa.types.is_uint64(kind):
        bits = np.asarray(column.fill_null(0).to_numpy(), np.uint64)
        return bits.astype(np.int64), valid & (bits < 2**63)
    if is_text(kind) or pa.types.is_dictionary(kind):
        return _symbols(column, valid)
    if pa.types.is_boolean(kind):
        return _symbols(column.cast(pa.string()), valid)
    if pa.types.is_float64(kind) or pa.types.is_float32(kind):
        floats, whole = floats_of(column)
        if whole[valid & np.isfinite(floats)].all():
            return np.where(whole, floats, 0).astype(np.int64), whole
        return _decimals(column.cast(pa.string()), valid)
    if pa.types.is_decimal128(kind):
        try:
            return whole_numbers(column), valid
        except pa.ArrowInvalid:  # a fraction, or too large
            return _decimals(column.cast(pa.string()), valid)
    return None


def _symbols(column: pa.Array, valid: Rows) -> tuple[Argument, Rows] | None:
    if pa.types.is_dictionary(column.type):
        coded = column
    elif mostly_different(column):
        coded = pa.DictionaryArray.from_arrays(np.arange(len(column), dtype=np.int32), column.fill_null(""))
    else:
        coded = column.dictionary_encode()
    texts = coded.dictionary.cast(pa.string())
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:  # bytes that are not UTF-8
        return None
    if not len(texts) or texts.null_count:
        return None
    return pa.DictionaryArray.from_arrays(coded.indices.cast(pa.int32()).fill_null(0), _escaped(texts)), valid


def _decimals(texts: pa.Array, valid: Rows) -> tuple[Argument, Rows]:
    coded = texts.fill_null("").dictionary_encode()
    plain = _plain_numbers(coded.dictionary)
    spellings = pc.if_else(pa.array(plain), _spelled_numbers(coded.dictionary), _ANY)
    return pa.DictionaryArray.from_arrays(coded.indices, spellings), valid & plain[_indices(coded)]


def _all_symbols(texts: pa.Array, letters: bytes) -> bool:
    """Whether every text begins with one of these letters."""
    texts = texts.cast(pa.large_string())
    _, offsets, content = texts.buffers()
    places = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    if content is None or not np.diff(places).all():  # an empty one
        return False
    safe = np.zeros(256, np.bool_)
    safe[list(letters)] = True
    return bool(safe[np.frombuffer(content, np.uint8)[places[:-1]]].all())


def _plain_numbers(texts: pa.Array) -> Rows:
    negative_zero = true_rows(pc.match_substring_regex(texts, _NEGATIVE_ZERO))
    return true_rows(pc.match_substring_regex(texts, _PLAIN)) & ~negative_zero


def _spelled_numbers(texts: pa.Array) -> pa.Array:
    """The spellings of plain numbers."""
    short = pc.if_else(pc.match_substring(texts, "."), pc.utf8_rtrim(pc.utf8_rtrim(texts, "0"), "."), texts)
    return pc.binary_join_element_wise(ESCAPE, short, "")


def _escaped(texts: pa.Array) -> pa.Array:
    odd = pc.starts_with(texts, ESCAPE)
    if not pc.any(odd).as_py():
        return texts
    return pc.if_else(odd, pc.binary_join_element_wise(ESCAPE, texts, ""), texts)


# -- the rest ------------------------------------------------------------------------------------------


def _completed(column: pa.Array, known: Argument, good: Rows, rule: Callable[[object], Value]) -> Cells:
    if good.all():
        return Cells(known)
    rest = np.flatnonzero(~good)
    judged = _by_rule(column.take(pa.array(rest)), rule)
    faults = {int(rest[row]): fault for row, fault in judged.faults.items()}
    if len(faults) == len(rest):
        return Cells(known, faults)
    right = np.flatnonzero(good)
    both = joined([taken(known, right), judged.column])
    places = np.empty(len(good), np.int64)
    places[np.concatenate([right, rest])] = np.arange(len(good))
    return Cells(taken(both, places), faults)


def _by_rule(column: pa.Array, rule: Callable[[object], Value]) -> Cells:
    def judge(value: object) -> Value | Diagnostic:
        try:
            return rule(value)
        except NotAValue as reason:
            return bad_cell(reason)

    found, codes = judge_distinct(column, judge)
    values = [0 if isinstance(one, Diagnostic) else one for one in found]
    wrong = {code: one for code, one in enumerate(found) if isinstance(one, Diagnostic)}
    rows = np.flatnonzero(np.isin(codes, list(wrong))) if wrong else ()
    return Cells(taken(argument_of(values), codes), {int(row): wrong[int(codes[row])] for row in rows})


def _indices(coded: pa.DictionaryArray) -> Numbers:
    return np.asarray(coded.indices.fill_null(0).to_numpy(), np.int64)


def _all(mask: pa.Array) -> bool:
    return bool(pc.all(mask, min_count=0).as_py())
