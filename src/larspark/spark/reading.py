"""Rows as the engine takes them: arguments become codes, a column at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from larspark.intervals.arithmetic import INLINE
from larspark.intervals.storage import Column, Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.arrivals import Arrivals, Batch
from larspark.reasoners.interval.dictionary import Dictionary
from larspark.reasoners.interval.engine import Engine
from larspark.reasoners.interval.network import Relation
from larspark.spark.cells import numbers_of
from larspark.spark.rows import OTHER, Kind, from_text
from larspark.spark.stage_program import OTHERS
from larspark.spark.work import Work

CHUNK = 1 << 15
"""Arrivals per step of the engine: enough to pay for the step, few enough that what has expired is soon forgotten."""


class Reading:
    """Rows in the order of arrival, from the first to the last evaluation of the work; chunk by chunk.

    Readings of one engine may share the codes of the texts they have seen.
    """

    def __init__(self, work: Work, table: pa.Table, engine: Engine, texts: dict[str, int] | None = None) -> None:
        self._work = work
        self._network = engine.network
        kinds, predicates = numbers_of(table.column("kind")), numbers_of(table.column("predicate"))
        times = numbers_of(table.column("time"))
        codes = _Codes(table, Coder(engine.dictionary, {} if texts is None else texts))
        order = np.flatnonzero(kinds == Kind.ARRIVAL)
        self._times = times[order]
        arriving = predicates[order]
        self._batches: dict[Signature, Batch] = {}
        for signature, number in (*work.numbers.items(), (Signature(OTHERS, 0), OTHER)):
            places = np.flatnonzero(arriving == number)
            if len(places):
                rows = order[places]
                self._batches[signature] = Batch(codes.of(rows, signature.arity), times[rows], places)
        self._concluded = dict(self._conclusions(table, kinds, predicates, times, codes))

    def chunks(self) -> Iterator[tuple[int, int]]:
        """The spans of evaluation times, one after the other, up to the end."""
        first = self._work.start
        for until in (*np.unique(self._times[CHUNK - 1 :: CHUNK]).tolist(), self._work.end):
            if first <= until:
                yield first, until
                first = until + 1

    def arrivals(self, first: int, until: int) -> Arrivals:
        begin, end = np.searchsorted(self._times, [first, until + 1])
        parts = {}
        for signature, batch in self._batches.items():
            low, high = np.searchsorted(batch.times, [first, until + 1])
            if low < high:
                parts[signature] = Batch(batch.codes[low:high], batch.times[low:high], batch.places[low:high] - begin)
        return Arrivals(parts, int(end - begin))

    def concluded(self, first: int, until: int) -> dict[Relation, Rows]:
        """The conclusions of earlier stages that begin in the span."""
        found = {}
        for relation, rows in self._concluded.items():
            part = rows[(rows[:, -2] >= first) & (rows[:, -2] <= until)]
            if len(part):
                found[relation] = part
        return found

    def _conclusions(
        self, table: pa.Table, kinds: Column, predicates: Column, times: Column, codes: _Codes
    ) -> Iterator[tuple[Relation, Rows]]:
        for signature in self._work.stage.delivered:
            number = self._work.numbers[signature]
            for kind, known in ((Kind.NOW, self._network.now), (Kind.AT, self._network.pinned)):
                rows = np.flatnonzero((kinds == kind) & (predicates == number))
                if not len(rows):
                    continue
                columns = [codes.of(rows, signature.arity)]
                if kind is Kind.AT:
                    columns.append(numbers_of(table.column("at"))[rows, None] << 1)
                spans = times[rows], numbers_of(table.column("until"))[rows]
                yield known[signature], np.column_stack((*columns, *spans))


class Coder:
    """Arguments as codes of an engine; Python sees a text once, however many tables it is in."""

    def __init__(self, dictionary: Dictionary, texts: dict[str, int]) -> None:
        self._dictionary = dictionary
        self._texts = texts

    def texts(self, spelled: pa.DictionaryArray) -> Column:
        """The codes of cells of text; missing ones have any."""
        texts = spelled.dictionary.to_pylist()
        found = list(map(self._texts.get, texts))
        if None in found:
            for text, code in zip(texts, found, strict=True):
                if code is None:
                    self._texts[text] = self._dictionary.encode(from_text(text))
            found = list(map(self._texts.get, texts))
        return np.array(found, np.int64)[numbers_of(pa.chunked_array([spelled.indices]))]

    def numbers(self, values: Column) -> Column:
        if len(values) and max(abs(int(values.min())), abs(int(values.max()))) >= INLINE:
            return np.array([self._dictionary.encode(int(value)) for value in values], np.int64)
        return values << 1


class _Codes:
    """The arguments of all rows of a table; a column is coded when it is first asked for."""

    def __init__(self, table: pa.Table, coder: Coder) -> None:
        self._table = table
        self._coder = coder
        self._known: dict[int, Column] = {}

    def of(self, rows: Column, arity: int) -> Rows:
        found = np.empty((len(rows), arity), np.int64)
        for place in range(arity):
            if place not in self._known:
                self._known[place] = self._column(place)
            found[:, place] = self._known[place][rows]
        return found

    def _column(self, place: int) -> Column:
        """Numbers and texts of this place; an exchange leaves out a column that has nothing in it."""
        names = self._table.column_names
        numbers = self._table.column(f"n{place}") if f"n{place}" in names else None
        texts = self._table.column(f"s{place}") if f"s{place}" in names else None
        empty = np.zeros(len(self._table), np.int64)
        codes = empty if numbers is None else self._coder.numbers(numbers_of(numbers))
        if texts is not None and texts.null_count < len(texts):
            coded = self._coder.texts(texts.combine_chunks().dictionary_encode())
            codes = np.where(np.asarray(pc.is_valid(texts)), coded, codes) if texts.null_count else coded
        return codes
