"""What is noticed about arrivals on their way: how densely atoms come, and texts where numbers are wanted."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow.compute as pc

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.occurrences import head_atoms
from larspark.analysis.typing.arguments import TEXTS
from larspark.blocks import Block, Numbers
from larspark.blocks.spelling import ESCAPE
from larspark.intervals.tables.storage import Rows
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom
from larspark.language.facts import Signature
from larspark.language.tree import At, Atom, Formula, Input, Rule, TimeWindow, Variable, Windowed
from larspark.read.columns.arrays import true_rows
from larspark.runtime.findings.wanted_numbers import Place, wanted_numbers

MOST_KEYS = 4096
"""So many keys are followed, the same ones wherever a predicate is counted."""


@dataclass(frozen=True)
class Demand:
    """`always` over an input, or over what follows from it at the same time points."""

    literal: Formula
    atom: Atom
    """What has to hold at every time point."""
    source: Atom
    """The input that it follows from."""
    keys: tuple[int, ...]
    """The arguments of the input that are the same at all of these time points."""

    @property
    def least(self) -> int:
        """So many time points are asked for."""
        match self.literal:
            case Windowed(TimeWindow(past=int(past))):
                return past + 1
        return 1


def demands(analysis: Analysis) -> Iterator[Demand]:
    """Each `always` with the inputs that it asks for at every time point of its window; held values are there."""
    for reader in analysis.program.readers:
        for literal in reader.body:
            match extended_atom(literal):
                case ExtendedAtom(Quantifier.ALWAYS, atom, (_,), negated=False):
                    for source, keys in _sources(analysis, atom, frozenset({atom.signature})):
                        yield Demand(literal, atom, source, keys)


def _sources(analysis: Analysis, atom: Atom, seen: frozenset[Signature]) -> Iterator[tuple[Atom, tuple[int, ...]]]:
    """The inputs without which an atom holds at no time point."""
    if atom.signature in analysis.held:
        return
    if atom.signature in analysis.extensional:
        named = (place for place, term in enumerate(atom.args) if not _is_anonymous(term))
        yield atom, tuple(named)
        return
    for rule in analysis.program.rules:
        if any(one.signature == atom.signature for one in head_atoms(rule)):
            kept = {term for one in head_atoms(rule) for term in one.args if isinstance(term, Variable)}
            for read in _at_the_same_time(rule):
                if read.signature not in seen:
                    for source, keys in _sources(analysis, read, seen | {read.signature}):
                        yield source, tuple(place for place in keys if source != read or source.args[place] in kept)


def _is_anonymous(term: object) -> bool:
    return isinstance(term, Variable) and term.anonymous


def _at_the_same_time(rule: Rule) -> Iterator[Atom]:
    """The atoms that have to hold at the time point that the head is about."""
    for literal in rule.body:
        match rule.head, extended_atom(literal):
            case Atom(), ExtendedAtom(Quantifier.NOW, atom, negated=False):
                yield atom
            case At(time, _), ExtendedAtom(Quantifier.AT, atom, time=seen, negated=False) if seen == time:
                yield atom


def _declared_numbers(analysis: Analysis) -> set[Place]:
    """The arguments into which no text comes: it is a bad record."""
    inputs = (one for one in analysis.program.directives if isinstance(one, Input))
    return {
        (one.signature, place)
        for one in inputs
        for place, kind in enumerate(one.types)
        if kind is not None and kind not in TEXTS
    }


@dataclass(frozen=True)
class Watch:
    """What is looked at."""

    keys: Mapping[Signature, tuple[int, ...]] = field(default_factory=dict)
    """The inputs that have to be there at every time point."""
    compared: frozenset[tuple[Signature, int]] = frozenset()
    """The arguments of inputs where rules want numbers."""

    @classmethod
    def of(cls, analysis: Analysis) -> Watch:
        keys = {one.source.signature: one.keys for one in demands(analysis)}
        places = {one.place for one in wanted_numbers(analysis, analysis.extensional)}
        return cls(keys, frozenset(places - _declared_numbers(analysis)))

    def only(self, signatures: Collection[Signature]) -> Watch:
        keys = {one: places for one, places in self.keys.items() if one in signatures}
        return Watch(keys, frozenset(one for one in self.compared if one[0] in signatures))

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset(self.keys) | {signature for signature, _ in self.compared}


NOTHING_WATCHED = Watch()


@dataclass
class Observation:
    """What has been seen, block by block; those of several places are added up."""

    watch: Watch
    texts: Counter[tuple[Signature, int]] = field(default_factory=Counter)
    spans: dict[Signature, Rows] = field(default_factory=dict)
    """Of every key: what it is known by, its first and last time, and at how many time points it came."""

    def take(self, block: Block) -> None:
        for place in range(block.signature.arity):
            if (block.signature, place) in self.watch.compared:
                self.texts[block.signature, place] += _texts_in(block, place)
        keys = self.watch.keys.get(block.signature)
        if keys is not None and len(block):
            self._merge(block.signature, _spans_in(block, keys))

    def _merge(self, signature: Signature, found: Rows) -> None:
        known = self.spans.get(signature)
        self.spans[signature] = found if known is None else _united(np.concatenate((known, found)))

    def add(self, other: Observation) -> None:
        self.texts.update(other.texts)
        for signature, found in other.spans.items():
            self._merge(signature, found)

    def as_json(self) -> str:
        texts = [[*signature, place, count] for (signature, place), count in self.texts.items()]
        return json.dumps({"texts": texts, "spans": [[*one, rows.tolist()] for one, rows in self.spans.items()]})

    @classmethod
    def read(cls, text: str, watch: Watch) -> Observation:
        found = json.loads(text)
        texts = Counter({(Signature(name, arity), place): count for name, arity, place, count in found["texts"]})
        spans = {Signature(name, arity): np.array(rows, np.int64) for name, arity, rows in found["spans"]}
        return cls(watch, texts, spans)

    def density(self, demand: Demand, span: int) -> tuple[int, int, int] | None:
        """At how many of how many time points it arrived, and for how many keys; None: it did not at all."""
        rows = self.spans.get(demand.source.signature)
        if rows is None:
            return None
        lengths = np.minimum(np.maximum(rows[:, 2] - rows[:, 1] + 1, demand.least), span)
        return int(np.minimum(rows[:, 3], lengths).sum()), int(lengths.sum()), len(rows)


def _texts_in(block: Block, place: int) -> int:
    column = block.arguments[place]
    if isinstance(column, np.ndarray):
        return 0
    plain = true_rows(pc.invert(pc.starts_with(column.dictionary, ESCAPE)))
    return int(plain[column.indices.to_numpy()].sum())


def _spans_in(block: Block, keys: Iterable[int]) -> Rows:
    marks = np.zeros(len(block), np.int64)
    for place in keys:
        marks = marks * 31 + _marks(block, place)
    order = np.lexsort((block.times, marks))
    mark, time = marks[order], block.times[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (mark[1:] != mark[:-1]) | (time[1:] != time[:-1])
    first = np.flatnonzero(np.concatenate(([True], mark[1:] != mark[:-1])))
    last = np.concatenate((first[1:], [len(order)])) - 1
    counts = np.add.reduceat(new.astype(np.int64), first)
    return np.column_stack((mark[first], time[first], time[last], counts))[:MOST_KEYS]


def _marks(block: Block, place: int) -> Numbers:
    """Numbers that tell values apart, the same ones in all processes."""
    column = block.arguments[place]
    if isinstance(column, np.ndarray):
        return column
    texts = (text.encode() for text in column.dictionary.to_pylist())
    marks: Numbers = np.fromiter(map(zlib.crc32, texts), np.int64)[column.indices.to_numpy()]
    return marks


def _united(rows: Rows) -> Rows:
    ordered = rows[np.argsort(rows[:, 0], kind="stable")]
    begin = np.flatnonzero(np.concatenate(([True], ordered[1:, 0] != ordered[:-1, 0])))
    ends = (np.minimum.reduceat(ordered[:, 1], begin), np.maximum.reduceat(ordered[:, 2], begin))
    return np.column_stack((ordered[begin, 0], *ends, np.add.reduceat(ordered[:, 3], begin)))[:MOST_KEYS]
