"""Written ticks as lines with their ends, many at once: the model or its changes, as `renderings` has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.blocks import Block, Numbers
from larspark.intervals.sets import FOREVER
from larspark.intervals.tables.storage import Rows, content, passing_table
from larspark.intervals.tables.table import absorb
from larspark.language.facts import Signature
from larspark.reasoners.interval.state.coding import Coder
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.tick.renderings import NO_ANSWER_STREAM
from larspark.write.atoms import atom_texts
from larspark.write.json_texts import json_texts
from larspark.write.points import Span, joined_texts
from larspark.write.times import TimeWriter


@dataclass(frozen=True)
class WrittenTicks:
    """The ticks that are written, and whether they have an answer stream."""

    times: Numbers
    counts: Numbers
    consistent: np.ndarray

    def part(self, first: int, until: int) -> WrittenTicks:
        inside = slice(first, until + 1)
        return WrittenTicks(self.times[inside], self.counts[inside], self.consistent[inside])


Times: TypeAlias = Callable[[], TimeWriter]
"""How times are written by now."""


class LineMaker(Protocol):
    """Called with all ticks of a run, in order."""

    def lines(self, written: WrittenTicks, rows: Mapping[Signature, Rows], coder: Coder) -> Iterator[pa.Array]:
        """The lines of some ticks; the rows have the first and the last of these in which they are."""
        ...

    def translate(self, old: Dictionary, new: Dictionary) -> None:
        """Go over to other codes for the same values."""
        ...


class ModelLines:
    def __init__(self, times: Times, *, as_json: bool) -> None:
        self._times, self._json = times, as_json

    def lines(self, written: WrittenTicks, rows: Mapping[Signature, Rows], coder: Coder) -> Iterator[pa.Array]:
        blocks = tuple(coder.block(signature, own, pinned=False) for signature, own in rows.items())
        nothing = np.empty(0, np.int64)
        for span in Span(0, len(written.times) - 1, blocks, nothing).parts():
            yield self._part(written.part(span.first, span.until), span)

    def translate(self, old: Dictionary, new: Dictionary) -> None:
        """Nothing is remembered."""

    def _part(self, written: WrittenTicks, span: Span) -> pa.Array:
        models = _joined(span, json_texts if self._json else _as_it_is, self._times())
        if not self._json:
            models = _if_consistent(written, _or(models, "-"), NO_ANSWER_STREAM)
            return _with_times(self._times(), written, models)
        models = pc.binary_join_element_wise("[", models, "]", "")
        return _objects(self._times(), written, ', "model": ', _if_consistent(written, models, "null"))


class ChangeLines:
    """What has changed since the line before."""

    def __init__(self, times: Times, *, as_json: bool) -> None:
        self._times, self._json = times, as_json
        self._before: dict[Signature, Rows] = {}
        """What was in the last line."""

    def translate(self, old: Dictionary, new: Dictionary) -> None:
        for rows in self._before.values():
            rows[:, :-2] = old.translate(rows[:, :-2], new)

    def lines(self, written: WrittenTicks, rows: Mapping[Signature, Rows], coder: Coder) -> Iterator[pa.Array]:
        last = len(written.times)  # the line before has the place 0, those that are written now the places behind it
        appearing, disappearing = [], []
        before, self._before = self._before, {}
        for signature in sorted(before.keys() | rows.keys()):
            found = _maximal(signature, before.get(signature), rows.get(signature))
            self._before[signature] = _placed(found[found[:, -1] == last], 0)
            appearing.append(_block(coder, signature, found, found[:, -2], found[:, -2] > 0))
            disappearing.append(_block(coder, signature, found, found[:, -1] + 1, found[:, -1] < last))
        nothing = np.empty(0, np.int64)
        plus, minus = (Span(0, last - 1, tuple(blocks), nothing) for blocks in (appearing, disappearing))
        yield self._made(written, plus, minus)

    def _made(self, written: WrittenTicks, plus: Span, minus: Span) -> pa.Array:
        if not self._json:
            signed = [_joined(span, _signed(sign), self._times()) for span, sign in ((plus, "+ "), (minus, "- "))]
            both = pc.and_(pc.not_equal(signed[0], ""), pc.not_equal(signed[1], ""))
            texts = pc.binary_join_element_wise(signed[0], pc.if_else(both, ", ", ""), signed[1], "")
            texts = _if_consistent(written, _or(texts, "="), NO_ANSWER_STREAM)
            return _with_times(self._times(), written, texts)
        gained, lost = (_joined(span, json_texts, self._times()) for span in (plus, minus))
        said = pc.if_else(pa.array(written.consistent), "true", "false")
        fields = pc.binary_join_element_wise("[", gained, '], "disappeared": [', lost, '], "consistent": ', said, "")
        return _objects(self._times(), written, ', "appeared": ', fields)


def _maximal(signature: Signature, before: Rows | None, rows: Rows | None) -> Rows:
    """The rows with the places of the lines that they are in, the line before included."""
    table = passing_table(signature.arity)
    if before is not None:
        absorb(table, before, -FOREVER)
    if rows is not None:
        later = rows.copy()
        later[:, -2:] += 1
        absorb(table, later, -FOREVER)
    found: Rows = content(table)
    return found


def _placed(rows: Rows, place: int) -> Rows:
    found = rows.copy()
    found[:, -2:] = place
    return found


def _block(coder: Coder, signature: Signature, rows: Rows, places: Numbers, chosen: np.ndarray) -> Block:
    """The chosen rows, each in one line."""
    found = rows[chosen]
    found[:, -2] = found[:, -1] = places[chosen] - 1
    return coder.block(signature, found, pinned=False)


def _as_it_is(texts: pa.Array) -> pa.Array:
    return texts


def _signed(sign: str) -> Callable[[pa.Array], pa.Array]:
    return lambda texts: pc.binary_join_element_wise(sign, texts, "")


def _joined(span: Span, spelled: Callable[[pa.Array], pa.Array], times: TimeWriter) -> pa.Array:
    return joined_texts(span, span.blocks, [spelled(atom_texts(block, times)) for block in span.blocks])


def _or(texts: pa.Array, instead: str) -> pa.Array:
    """The texts, and something else where they are empty; long texts are copied only if there is such a place."""
    empty = pc.equal(texts, "")
    return pc.if_else(empty, instead, texts) if pc.any(empty).as_py() else texts


def _if_consistent(written: WrittenTicks, texts: pa.Array, instead: str) -> pa.Array:
    return texts if written.consistent.all() else pc.if_else(pa.array(written.consistent), texts, instead)


def _with_times(times: TimeWriter, written: WrittenTicks, texts: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise(times.texts(written.times), ": ", texts, "\n", "")


def _objects(times: TimeWriter, written: WrittenTicks, name: str, fields: pa.Array) -> pa.Array:
    points, counts = (pa.array(column).cast(pa.string()) for column in (written.times, written.counts))
    begin = '{"time": '
    if times.stamped:
        begin = pc.binary_join_element_wise('{"timestamp": ', times.json(written.times), ', "time": ', "")
    return pc.binary_join_element_wise(begin, points, ', "count": ', counts, name, fields, "}\n", "")
