"""Atoms as texts: those that are plainly spelled are split in one go, of the others each distinct text is read once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Argument, Numbers
from larspark.blocks.arguments import compact, joined, taken
from larspark.diagnostics import Diagnostic, Rejected
from larspark.kernels.build import provide_kernels
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_fact
from larspark.language.values import RESERVED
from larspark.read.batch import PredicateColumns, parts_of_facts
from larspark.read.columns.arrays import texts_between, true_rows
from larspark.read.columns.distinct_words import DistinctWords
from larspark.read.columns.value_columns import words as word_cells


def read_atom(text: str) -> Fact | Diagnostic:
    """A ground atom inside a record, or what is wrong with it (without its place)."""
    if text.lstrip().startswith("?"):
        return Diagnostic(
            "E403", f"`{text[:60]}` is a question, not an atom.", "`larspark tick --ask` answers questions."
        )
    try:
        return parse_fact(text)
    except Rejected as rejected:
        first = rejected.diagnostics[0]
        return Diagnostic("E403", f"`{text[:60]}` is not a ground atom: {first.message}", first.hint)


@dataclass(frozen=True)
class Atoms:
    """The atoms of some rows, and what is wrong with the texts that are none."""

    parts: tuple[PredicateColumns, ...]
    faults: dict[int, Diagnostic]


def read_atoms(texts: pa.Array) -> Atoms:
    """The atoms of a column of texts without gaps."""
    if pa.types.is_dictionary(texts.type):
        texts = texts.dictionary_decode()
    if not len(texts):
        return Atoms((), {})
    texts = texts.cast(pa.large_string())
    _, offsets, content = texts.buffers()
    places = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    first, last = int(places[0]), int(places[-1])
    return atoms_between(bytes(memoryview(content)[first:last]), places[:-1] - first, places[1:] - first)


def atoms_between(content: bytes, begins: Numbers, ends: Numbers) -> Atoms:
    """The atoms that stand between these places, in the order of the text."""
    split = _Split(content, begins, ends)
    parts = list(split.parts())
    known: dict[bytes, Fact | Diagnostic] = {}
    found: list[tuple[int, Fact | Diagnostic]] = []
    for row in np.flatnonzero(split.counts == 0).tolist():
        text = content[begins[row] : ends[row]]
        one = known.get(text)
        if one is None:
            one = known[text] = read_atom(text.decode())
        found.append((row, one))
    parts += parts_of_facts((row, one) for row, one in found if isinstance(one, Fact))
    return Atoms(tuple(unite_parts(parts)), {row: one for row, one in found if isinstance(one, Diagnostic)})


class _Split:
    """The words of plain atoms."""

    def __init__(self, content: bytes, begins: Numbers, ends: Numbers) -> None:
        from larspark.read.scanning import atom_scan as scan  # noqa: PLC0415 - numba takes its time

        provide_kernels()
        self._content = content
        self.counts = np.empty(len(begins), np.int64)
        # A word has a letter, and one stands behind it; memory that is not written to costs nothing.
        self._words = np.empty(((int((ends - begins).sum()) + 3 * len(begins)) // 2, scan.WORD), np.int64)
        view, begin, end = np.frombuffer(content, np.uint8), np.ascontiguousarray(begins), np.ascontiguousarray(ends)
        done, words = np.zeros(scan.DONE, np.int64), DistinctWords(view)
        while True:
            scan.split_atoms(view, begin, end, words.slots, words.known, self._words, self.counts, done)
            if done[scan.ROWS] == len(begins):
                break
            words.grow(done[scan.DISTINCT])
        self._spans = words.known[: done[scan.DISTINCT]]
        self._starts = np.cumsum(self.counts) - self.counts
        reserved = np.flatnonzero(true_rows(pc.is_in(self._texts, pa.array(RESERVED))))
        if len(reserved):  # such an atom is not plain
            codes = self._words[: done[scan.USED], scan.CODE]
            rows = np.repeat(np.arange(len(begins)), self.counts)
            self.counts[rows[np.isin(codes, reserved)]] = 0
        self._even = int(self.counts[0]) if len(begins) and (self.counts == self.counts[0]).all() else 0
        """How many words every atom has, if all have as many."""

    @cached_property
    def _texts(self) -> pa.Array:
        """The distinct words."""
        return texts_between(self._content, *self._spans.T)

    @cached_property
    def _symbols(self) -> Argument:
        """Their values."""
        return word_cells(self._texts).column

    def parts(self) -> Iterator[PredicateColumns]:
        if not len(self.counts):
            return
        name, size = int(self._words[0, 0]), len(self.counts) * self._even
        if self._even and (self._words[: size : self._even, 0] == name).all():
            signature = Signature(self._texts[name].as_py(), self._even - 1)
            yield PredicateColumns(signature, tuple(self._column(None, place) for place in range(1, self._even)))
            return
        rows = np.flatnonzero(self.counts)
        names = self._words[self._starts[rows], 0]
        for key, inside in grouped(names * (int(self.counts.max()) + 1) + self.counts[rows]):
            members = rows[inside]
            count = int(self.counts[members[0]])
            signature = Signature(self._texts[key // (int(self.counts.max()) + 1)].as_py(), count - 1)
            yield PredicateColumns(signature, tuple(self._column(members, place) for place in range(1, count)), members)

    def _column(self, rows: Numbers | None, place: int) -> Argument:
        """The arguments of some atoms, or of all if each has as many."""
        if rows is None:
            codes, numbers = self._words[place : len(self.counts) * self._even : self._even].T
        else:
            codes, numbers = self._words[self._starts[rows] + place].T
        whole = codes < 0
        if whole.all():
            return np.ascontiguousarray(numbers)
        if not whole.any():
            return compact(taken(self._symbols, codes))
        symbols = np.flatnonzero(~whole)
        named = compact(taken(self._symbols, codes[symbols]))
        both = joined([named, numbers[whole]])
        places = np.empty(len(codes), np.int64)
        places[np.concatenate([symbols, np.flatnonzero(whole)])] = np.arange(len(codes))
        return taken(both, places)


def unite_parts(parts: Iterable[PredicateColumns]) -> list[PredicateColumns]:
    """One part per predicate."""
    by_signature: dict[Signature, list[PredicateColumns]] = {}
    for part in parts:
        by_signature.setdefault(part.signature, []).append(part)
    return [same[0] if len(same) == 1 else _unite(same) for same in by_signature.values()]


def _unite(parts: list[PredicateColumns]) -> PredicateColumns:
    """The records of several parts of one predicate, in their order."""
    rows = np.concatenate([part.rows for part in parts if part.rows is not None])
    places = np.argsort(rows, kind="stable")
    arguments: list[Argument] = [
        taken(joined([part.arguments[place] for part in parts]), places) for place in range(parts[0].signature.arity)
    ]
    return PredicateColumns(parts[0].signature, tuple(arguments), rows[places])


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
