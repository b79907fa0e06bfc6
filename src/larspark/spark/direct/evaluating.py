"""A stage: parcels come in, and conclusions leave into files, to later stages, or to where they are united."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

from larspark.intervals.storage import Column, Rows
from larspark.language.facts import Signature
from larspark.reasoners.interval.dictionary import Dictionary
from larspark.spark.columnar import evaluate_steps
from larspark.spark.direct.arriving import Key, steps
from larspark.spark.direct.columns import Argument
from larspark.spark.direct.diary import Diary
from larspark.spark.direct.parcels import PARCEL, Batches, Content, Parcel, as_batches, opened
from larspark.spark.direct.routing import Route
from larspark.spark.direct.written import ConclusionFiles, Target
from larspark.spark.rows import BEFORE_ALL, ESCAPE, Kind, to_cells
from larspark.spark.settling import settle
from larspark.spark.work import Work


@dataclass(frozen=True)
class Evaluating:
    """The function for `mapInArrow` over the parcels of a stage."""

    work: Work
    targets: Mapping[Signature, Target]
    routes: Sequence[Route]
    void_to: Route | None
    """Where times without an answer stream have to be known."""
    stage: int
    diary: Diary

    def __call__(self, batches: Batches) -> Batches:
        given = opened(batches)
        seed = next(given, None)
        if seed is not None:
            page = self.diary.page(self.stage, seed.predicate)
            for table in evaluate_steps(self.work, seed.predicate, partial(steps, given, page), self._leaving):
                yield from table.to_batches()
        settle(self)

    def _leaving(self, dictionary: Dictionary) -> Leaving:
        return Leaving(dictionary, self)


class Leaving:
    """Takes the conclusions of a partition; what leaves it are parcels."""

    def __init__(self, dictionary: Dictionary, stage: Evaluating) -> None:
        self._dictionary = dictionary
        self._stage = stage
        self._numbers = stage.work.numbers
        self._files = ConclusionFiles(dictionary, stage.targets)
        self._waiting: dict[Key, list[Rows]] = defaultdict(list)
        self._void: list[Rows] = []

    def add(self, kind: Kind, signature: Signature | None, rows: Rows) -> None:
        if not len(rows):
            return
        if signature is None:
            self._void.append(rows)
            return
        self._files.add(kind, signature, rows)
        if any(self._numbers[signature] in route.keys for route in self._stage.routes):
            self._waiting[kind, signature].append(rows)

    def tables(self, *, ended: bool = False) -> Iterator[pa.Table]:
        yield from (pa.Table.from_batches([batch]) for batch in as_batches(self._parcels(ended=ended)))

    def _parcels(self, *, ended: bool) -> Iterator[Parcel]:
        for (kind, signature), parts in self._waiting.items():
            if parts and (ended or sum(map(len, parts)) >= PARCEL):
                rows = np.concatenate(parts)
                parts.clear()
                number = self._numbers[signature]
                content = self._content(rows[np.argsort(rows[:, -2], kind="stable")], kind, signature.arity)
                for route in self._stage.routes:
                    if number in route.keys:
                        yield from route.parcels(content, kind, number)
        if ended:
            yield from self._told_everywhere()
            yield from self._files.reports()

    def _told_everywhere(self) -> Iterator[Parcel]:
        """Times without an answer stream concern every partition, before all else."""
        route = self._stage.void_to
        if self._void and route is not None:
            rows = np.concatenate(self._void)
            content = Content(rows[:, 0], (), rows[:, 1]).packed()
            for part in range(len(route.division.parts)):
                yield Parcel(route.stage, part, BEFORE_ALL, Kind.VOID, 0, content)

    def _content(self, rows: Rows, kind: Kind, arity: int) -> Content:
        arguments = tuple(self._argument(rows[:, place]) for place in range(arity))
        return Content(rows[:, -2], arguments, rows[:, -1], rows[:, -3] >> 1 if kind is Kind.AT else None)

    def _argument(self, codes: Column) -> Argument:
        """Codes of numbers are even; where others are among them, all are spelled."""
        if not (codes & 1).any():
            return codes >> 1
        distinct, places = np.unique(codes, return_inverse=True)
        cells = (to_cells(self._dictionary.decode(code)) for code in distinct.tolist())
        texts = [f"{ESCAPE}{number}" if text is None else text for number, text in cells]
        return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32)), pa.array(texts, pa.string()))
