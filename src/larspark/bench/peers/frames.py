"""Recomputation with polars: every time point takes its window out of the stream and computes it again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

os.environ.setdefault("POLARS_MAX_THREADS", "1")  # every contestant has one core

import numpy as np
import polars as pl

from larspark.bench.peers import recompute
from larspark.bench.workloads.task import Atoms, Frames, Task
from larspark.language.facts import Fact


class DataFrames:
    """The stream as one table per predicate, sorted by time."""

    name = "polars"

    def __init__(self, task: Task, places: Sequence[int]) -> None:
        self._task, self._places = task, places
        self.evaluations = len(places)
        assert task.workload.recompute is not None
        self._compute: Callable[..., Frames] = getattr(recompute, task.workload.recompute)

    @cached_property
    def _stream(self) -> Mapping[str, pl.DataFrame]:
        rows: dict[str, list[tuple[int, ...]]] = {}
        for signature in self._task.analysis.extensional:
            rows[signature.predicate] = []
        for time, facts in self._task.steps:
            for fact in facts:
                rows[fact.predicate].append((time, *map(int, fact.args)))
        arities = {signature.predicate: signature.arity for signature in self._task.analysis.extensional}
        return {name: _frame(found, ["time", *_columns(arities[name])]) for name, found in rows.items()}

    @cached_property
    def _times(self) -> Mapping[str, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        return {name: frame["time"].to_numpy() for name, frame in self._stream.items()}

    @cached_property
    def _background(self) -> Mapping[str, pl.DataFrame]:
        rows: dict[str, list[tuple[int, ...]]] = {}
        for fact in self._task.background:
            rows.setdefault(fact.predicate, []).append(tuple(map(int, fact.args)))
        return {name: _frame(found, _columns(len(found[0]))) for name, found in rows.items()}

    def _at(self, place: int) -> Frames:
        time = self._task.steps[place].time
        inside = dict(self._background)
        for name, frame in self._stream.items():
            first, last = np.searchsorted(self._times[name], (time - self._task.parameters.window, time + 1))
            inside[name] = frame.slice(int(first), int(last - first))
        return self._compute(inside, time, self._task.parameters)

    def prepare(self) -> Callable[[], object]:
        _ = self._stream, self._times, self._background

        def run() -> None:
            for place in self._places:
                self._at(place)

        return run

    def answers(self, places: Iterable[int]) -> dict[int, Atoms]:
        return {
            place: frozenset(
                (self._task.steps[place].time, Fact(name, row))
                for name, frame in self._at(place).items()
                for row in frame.rows()
            )
            for place in places
        }


def _columns(arity: int) -> list[str]:
    return [f"c{place}" for place in range(arity)]


def _frame(rows: list[tuple[int, ...]], columns: list[str]) -> pl.DataFrame:
    return pl.DataFrame(rows, dict.fromkeys(columns, pl.Int64), orient="row")
