"""Atoms as texts: each distinct text is read once, and those that are plainly spelled are split in one go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Argument, Numbers
from larspark.blocks.arguments import joined, taken
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_fact
from larspark.language.values import RESERVED
from larspark.read.batch import Part, parts_of_facts
from larspark.read.columns.arrays import Rows, numbers_of, true_rows
from larspark.read.columns.value_columns import words as word_cells

_NAME = "[a-z][A-Za-z0-9_]*"
_ARGUMENT = rf"(?:{_NAME}|-?[0-9]{{1,18}}(?:\.[0-9]{{1,4}})?)"
PLAIN_ATOM = rf"{_NAME}(?:\({_ARGUMENT}(?:,{_ARGUMENT})*\))?"
"""What both the grammar and the splitting below read as the same atom, unless a word in it is reserved."""


def read_atom(text: str) -> Fact | Diagnostic:
    """A ground atom inside a record, or what is wrong with it (without its place)."""
    try:
        return parse_fact(text)
    except Rejected as rejected:
        first = rejected.diagnostics[0]
        return Diagnostic("E403", f"`{text[:60]}` is not a ground atom: {first.message}", first.hint)


@dataclass(frozen=True)
class Atoms:
    """The atoms of some rows, and what is wrong with the texts that are none."""

    parts: tuple[Part, ...]
    faults: dict[int, Diagnostic]


def read_atoms(texts: pa.Array) -> Atoms:
    """The atoms of a column of texts without gaps."""
    coded = texts if pa.types.is_dictionary(texts.type) else texts.dictionary_encode()
    known, wrong = _distinct(coded.dictionary.cast(pa.string()))
    codes = numbers_of(coded.indices)
    group, place = np.full(len(coded.dictionary), -1), np.zeros(len(coded.dictionary), np.int64)
    for number, part in enumerate(known):
        assert part.rows is not None
        group[part.rows], place[part.rows] = number, np.arange(len(part.rows))
    groups = group[codes]
    faults = {int(row): wrong[int(codes[row])] for row in np.flatnonzero(groups < 0)} if wrong else {}
    parts = []
    for number, rows in grouped(groups):
        if number >= 0:
            arguments = tuple(taken(column, place[codes[rows]]) for column in known[number].arguments)
            parts.append(Part(known[number].signature, arguments, rows))
    return Atoms(tuple(parts), faults)


def _distinct(texts: pa.Array) -> tuple[list[Part], dict[int, Diagnostic]]:
    """The atoms of distinct texts, and what is wrong with the others."""
    plain = true_rows(pc.match_substring_regex(texts, f"^{PLAIN_ATOM}$"))
    parts = list(_split(texts, plain))
    found = [(int(row), read_atom(texts[int(row)].as_py())) for row in np.flatnonzero(~plain)]
    parts += parts_of_facts((row, one) for row, one in found if isinstance(one, Fact))
    return unite_parts(parts), {row: one for row, one in found if isinstance(one, Diagnostic)}


def _split(texts: pa.Array, plain: Rows) -> Iterator[Part]:
    """The atoms of plain texts; those that turn out to have reserved words in them are no longer plain."""
    rows = np.flatnonzero(plain)
    inner = texts if len(rows) == len(texts) else texts.take(pa.array(rows))
    words = pc.split_pattern(pc.utf8_rtrim(pc.replace_substring(inner, "(", ","), ")"), ",")
    flat, ends = words.flatten(), numbers_of(words.offsets)
    reserved = true_rows(pc.is_in(flat, pa.array(sorted(RESERVED))))
    kept = np.ones(len(rows), np.bool_)
    if reserved.any():
        kept[np.searchsorted(ends, np.flatnonzero(reserved), side="right") - 1] = False
        plain[rows[~kept]] = False
    counts = np.where(kept, np.diff(ends), 0)
    for count, members in grouped(counts):
        if count == 0:
            continue
        starts = ends[members]
        names = flat.take(pa.array(starts)).dictionary_encode()
        columns = [word_cells(flat.take(pa.array(starts + place))).column for place in range(1, count)]
        for code, inside in grouped(numbers_of(names.indices)):
            signature = Signature(names.dictionary[code].as_py(), count - 1)
            yield Part(signature, tuple(taken(column, inside) for column in columns), rows[members[inside]])


def unite_parts(parts: Iterable[Part]) -> list[Part]:
    """One part per predicate."""
    by_signature: dict[Signature, list[Part]] = {}
    for part in parts:
        by_signature.setdefault(part.signature, []).append(part)
    return [same[0] if len(same) == 1 else _unite(same) for same in by_signature.values()]


def _unite(parts: list[Part]) -> Part:
    """The records of several parts of one predicate, in their order."""
    rows = np.concatenate([part.rows for part in parts if part.rows is not None])
    places = np.argsort(rows, kind="stable")
    arguments: list[Argument] = [
        taken(joined([part.arguments[place] for part in parts]), places) for place in range(parts[0].signature.arity)
    ]
    return Part(parts[0].signature, tuple(arguments), rows[places])


def grouped(keys: Numbers) -> Iterator[tuple[int, Numbers]]:
    """Each number that occurs, with its rows."""
    if not len(keys):
        return
    if (keys == keys[0]).all():
        yield int(keys[0]), np.arange(len(keys))
        return
    places = np.argsort(keys, kind="stable")
    edges = np.flatnonzero(np.diff(keys[places], prepend=keys[places[0]] - 1))
    for begin, end in zip(edges, [*edges[1:], len(keys)], strict=True):
        yield int(keys[places[begin]]), places[begin:end]
