"""A partition evaluated by the interval reasoner, all at once and without a step per row in Python."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from larspark.intervals.arithmetic import INLINE
from larspark.intervals.sets import FOREVER
from larspark.intervals.storage import Column, Rows, content, new_table
from larspark.intervals.table import absorb, remove
from larspark.language.facts import Signature
from larspark.language.values import Value
from larspark.reasoners.interval.arrivals import Arrivals, Batch
from larspark.reasoners.interval.component import Changes
from larspark.reasoners.interval.dictionary import Dictionary
from larspark.reasoners.interval.engine import Engine
from larspark.reasoners.interval.network import Network, Relation
from larspark.reasoners.interval.reasoner import IntervalReasoner
from larspark.spark.cells import numbers_of
from larspark.spark.rows import OTHER, Kind, from_text, row_columns, to_cells
from larspark.spark.stage_program import OTHERS
from larspark.spark.work import Work

CHUNK = 1 << 15
"""Arrivals per step of the engine: enough to pay for the step, few enough that what has expired is soon forgotten."""


def evaluate_columnar(work: Work, number: int, table: pa.Table) -> pa.Table:
    """The conclusions of a partition; the table is in the order of arrival."""
    reasoner = work.make(number)
    assert isinstance(reasoner, IntervalReasoner)
    engine = reasoner.engine
    network = engine.network
    assert network.inconsistent is not None
    wanted = [network.inconsistent]
    for signature in sorted(work.stage.concludes):
        wanted += [one for one in (network.now.get(signature), network.pinned.get(signature)) if one]
    found = {relation: new_table(relation.width, []) for relation in wanted}
    reading = _Reading(work, table, engine)
    for first, until in reading.chunks():
        before = {relation: engine.tables.content(relation) for relation in wanted}
        changes = engine.advance(until, reading.arrivals(first, until), reading.concluded(first, until))
        for relation in wanted:
            valid = _after(relation, before[relation], changes)
            absorb(found[relation], _clipped(valid, max(first, work.begin), until), -FOREVER)
    return _written(work, reasoner.dictionary, network, {one: content(rows) for one, rows in found.items()})


def _written(work: Work, dictionary: Dictionary, network: Network, found: dict[Relation, Rows]) -> pa.Table:
    writing = _Writing(work, dictionary)
    for signature in sorted(work.stage.concludes):
        now, pinned = network.now.get(signature), network.pinned.get(signature)
        holding = found[now] if now else np.empty((0, signature.arity + 2), np.int64)
        if pinned:
            at_itself, elsewhere = _apart(found[pinned])
            holding = _united(np.concatenate((holding, at_itself)), signature.arity)
            writing.add(Kind.AT, signature, elsewhere)
        writing.add(Kind.NOW, signature, holding)
    assert network.inconsistent is not None
    writing.add(Kind.VOID, None, found[network.inconsistent])
    return writing.table()


# -- validity --------------------------------------------------------------------------------------


def _after(relation: Relation, before: Rows, changes: Changes) -> Rows:
    """The validity of a relation after the changes of a step."""
    table = new_table(relation.width, [])
    absorb(table, before, -FOREVER)
    if relation in changes.lost:
        remove(table, changes.lost[relation])
    if relation in changes.gained:
        absorb(table, changes.gained[relation], -FOREVER)
    return content(table)


def _clipped(rows: Rows, first: int, last: int) -> Rows:
    rows[:, -2] = np.maximum(rows[:, -2], first)
    rows[:, -1] = np.minimum(rows[:, -1], last)
    return np.ascontiguousarray(rows[rows[:, -2] <= rows[:, -1]])


def _united(rows: Rows, width: int) -> Rows:
    table = new_table(width, [])
    absorb(table, rows, -FOREVER)
    return content(table)


def _apart(rows: Rows) -> tuple[Rows, Rows]:
    """Atoms pinned to a time point, as what holds at the evaluation time itself, and as what holds elsewhere."""
    time = rows[:, -3] >> 1
    inside = (rows[:, -2] <= time) & (time <= rows[:, -1])
    itself = np.column_stack((rows[inside, :-3], time[inside], time[inside]))
    earlier, later = rows[inside].copy(), rows[inside].copy()
    earlier[:, -1] = time[inside] - 1
    later[:, -2] = time[inside] + 1
    elsewhere = np.concatenate((rows[~inside], earlier, later))
    return itself, elsewhere[elsewhere[:, -2] <= elsewhere[:, -1]]


# -- from rows to codes ----------------------------------------------------------------------------


class _Reading:
    """The rows of a partition as the engine takes them, chunk by chunk."""

    def __init__(self, work: Work, table: pa.Table, engine: Engine) -> None:
        self._work = work
        self._table = table
        self._engine = engine
        kinds, predicates = numbers_of(table.column("kind")), numbers_of(table.column("predicate"))
        order = np.flatnonzero(kinds == Kind.ARRIVAL)
        self._times = _times(table, "time")[order]
        places = np.empty(len(kinds), np.int64)
        places[order] = np.arange(len(order))
        self._batches: dict[Signature, Batch] = {}
        for signature, number in (*work.numbers.items(), (Signature(OTHERS, 0), OTHER)):
            rows = order[predicates[order] == number]
            if len(rows):
                part = table.take(pa.array(rows))
                self._batches[signature] = Batch(self._codes(part, signature.arity), _times(part, "time"), places[rows])
        self._concluded = dict(self._conclusions(kinds, predicates))

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

    def _conclusions(self, kinds: Column, predicates: Column) -> Iterator[tuple[Relation, Rows]]:
        network = self._engine.network
        for signature in self._work.stage.delivered:
            for kind, relation in ((Kind.NOW, network.now[signature]), (Kind.AT, network.pinned[signature])):
                wanted = (kinds == kind) & (predicates == self._work.numbers[signature])
                part = self._table.filter(pa.array(wanted))
                if len(part):
                    columns = [self._codes(part, signature.arity)]
                    if kind is Kind.AT:
                        columns.append(_times(part, "at") << 1)
                    yield relation, np.column_stack((*columns, _times(part, "time"), _times(part, "until")))

    def _codes(self, part: pa.Table, arity: int) -> Rows:
        codes = np.empty((len(part), arity), np.int64)
        for place in range(arity):
            codes[:, place] = _encoded(part.column(f"n{place}"), part.column(f"s{place}"), self._engine.dictionary)
        return codes


def _times(part: pa.Table, name: str) -> Column:
    return numbers_of(part.column(name))


def _encoded(numbers: pa.ChunkedArray, texts: pa.ChunkedArray, dictionary: Dictionary) -> Column:
    if texts.null_count == len(texts):
        return _inline(numbers, dictionary)
    spelled = texts.combine_chunks().dictionary_encode()
    known = np.array([dictionary.encode(from_text(text)) for text in spelled.dictionary.to_pylist()], np.int64)
    codes = known[numbers_of(pa.chunked_array([spelled.indices]))]
    if texts.null_count:
        missing = np.asarray(pc.is_null(texts))
        codes[missing] = _inline(pc.filter(numbers, pa.array(missing)), dictionary)
    return codes


def _inline(numbers: pa.ChunkedArray, dictionary: Dictionary) -> Column:
    values = numbers_of(numbers)
    if len(values) and max(abs(int(values.min())), abs(int(values.max()))) >= INLINE:
        return np.array([dictionary.encode(int(value)) for value in values], np.int64)
    return values << 1


# -- from codes to rows ----------------------------------------------------------------------------


class _Writing:
    """Conclusions as rows."""

    def __init__(self, work: Work, dictionary: Dictionary) -> None:
        self._work = work
        self._dictionary = dictionary
        self._parts: list[pa.Table] = []

    def add(self, kind: Kind, signature: Signature | None, rows: Rows) -> None:
        count = len(rows)
        if not count:
            return
        number = 0 if signature is None else self._work.numbers[signature]
        arity = 0 if signature is None else signature.arity
        at = pa.array(rows[:, -3] >> 1) if kind is Kind.AT else pa.nulls(count, pa.int64())
        columns = [
            pa.array(np.full(count, kind, np.int32)),
            pa.array(np.full(count, number, np.int32)),
            pa.array(rows[:, -2]),
            pa.array(rows[:, -1]),
            at,
        ]
        for place in range(self._work.width):
            columns += self._cells(rows[:, place]) if place < arity else _no_cells(count)
        self._parts.append(pa.table(columns, names=row_columns(self._work.width)))

    def _cells(self, codes: Column) -> tuple[pa.Array, pa.Array]:
        """Codes of numbers are even, those of numbered values odd."""
        numbered = (codes & 1).astype(bool)
        if not numbered.any():
            return pa.array(codes >> 1), pa.nulls(len(codes), pa.string())
        distinct, places = np.unique(codes[numbered], return_inverse=True)
        pairs = [to_cells(self._value(int(code))) for code in distinct]
        numbers = codes >> 1
        numbers[numbered] = np.array([number or 0 for number, _ in pairs], np.int64)[places]
        texts: npt.NDArray[np.object_] = np.full(len(codes), None, object)
        texts[numbered] = np.array([text for _, text in pairs], object)[places]
        cells = pa.array(texts, pa.string())
        return pa.array(numbers, mask=np.asarray(pc.is_valid(cells))), cells

    def _value(self, code: int) -> Value:
        return self._dictionary.decode(code)

    def table(self) -> pa.Table:
        return pa.concat_tables(self._parts) if self._parts else _nothing(self._work.width)


def _no_cells(count: int) -> tuple[pa.Array, pa.Array]:
    return pa.nulls(count, pa.int64()), pa.nulls(count, pa.string())


def _nothing(width: int) -> pa.Table:
    names = row_columns(width)
    kinds = [pa.int32(), pa.int32(), *[pa.int64()] * 3, *[pa.int64(), pa.string()] * width]
    return pa.table([pa.array([], kind) for kind in kinds], names=names)
