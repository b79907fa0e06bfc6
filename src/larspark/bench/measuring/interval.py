"""The interval reasoner as a contestant: columns in, changes of validity out, a chunk of time points per call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from larspark.bench.workloads.task import Atoms, Task
from larspark.intervals.tables.storage import Rows
from larspark.language.facts import Fact, Signature
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.engine.changes import RelationChanges
from larspark.reasoners.interval.engine.recording import Recorder
from larspark.reasoners.interval.network import Relation
from larspark.reasoners.interval.state.arrivals import Arrivals


class IntervalChunks:
    """`size` time points per call: 1 is live, a quarter of the stream is a replay."""

    def __init__(self, task: Task, name: str, size: int) -> None:
        self._task, self.name, self._size = task, name, size
        self.evaluations = len(task.steps)

    def _begin(self) -> tuple[IntervalReasoner, list[tuple[int, Arrivals]]]:
        reasoner = IntervalReasoner(self._task.analysis, self._task.background, self._task.start)
        steps = self._task.steps
        parts = [steps[first : first + self._size] for first in range(0, len(steps), self._size)]
        chunks = [
            (part[-1].time, Arrivals.of(((time, fact) for time, facts in part for fact in facts), reasoner.dictionary))
            for part in parts
        ]
        return reasoner, chunks

    def prepare(self) -> Callable[[], object]:
        reasoner, chunks = self._begin()
        advance = self._advancing(reasoner)

        def run() -> None:
            for until, arrivals in chunks:
                for _ in advance(until, arrivals):
                    pass

        return run

    def _advancing(self, reasoner: IntervalReasoner) -> Callable[[int, Arrivals], Iterable[RelationChanges]]:
        """How a chunk is evaluated: where conclusions are recorded, somebody drives the engine."""
        if self._task.analysis.recorded:
            return Recorder(reasoner.engine).parts
        advance = reasoner.engine.advance
        return lambda until, arrivals: (advance(until, arrivals),)

    def answers(self, places: Iterable[int]) -> dict[int, Atoms]:
        """From the changes that the calls return, which are all that a replay gives."""
        reasoner, chunks = self._begin()
        times = {place: self._task.steps[place].time for place in places}
        found: dict[int, set[tuple[int, Fact]]] = {place: set() for place in times}
        engine, advance = reasoner.engine, self._advancing(reasoner)
        for place, time in times.items():
            for relation, rows in self._outputs(reasoner, engine.tables.content):
                found[place].update(self._atoms(reasoner, relation, rows, time))
        evaluated = self._task.start - 1
        for changes in chain.from_iterable(advance(until, arrivals) for until, arrivals in chunks):
            for place, time in times.items():
                if evaluated < time:
                    for relation, rows in self._outputs(reasoner, changes.lost.get):
                        found[place].difference_update(self._atoms(reasoner, relation, rows, time))
                    for relation, rows in self._outputs(reasoner, changes.gained.get):
                        found[place].update(self._atoms(reasoner, relation, rows, time))
            evaluated = engine.time
        return {place: frozenset(atoms) for place, atoms in found.items()}

    @staticmethod
    def _outputs(
        reasoner: IntervalReasoner, rows_of: Callable[[Relation], Rows | None]
    ) -> Iterator[tuple[Relation, Rows]]:
        network = reasoner.engine.network
        for relation in (*network.now.values(), *network.listed.values()):
            rows = rows_of(relation)
            if rows is not None:
                yield relation, rows

    @staticmethod
    def _atoms(reasoner: IntervalReasoner, relation: Relation, rows: Rows, time: int) -> Iterator[tuple[int, Fact]]:
        """The atoms of the rows that are valid at `time`; a pinned row has its own time as last key column."""
        network, decode = reasoner.engine.network, reasoner.dictionary.decode
        signature: Signature | None = relation.signature
        assert signature is not None
        for codes in rows[(rows[:, -2] <= time) & (rows[:, -1] >= time), :-2].tolist():
            if network.listed.get(signature) is relation:
                yield codes[-1] >> 1, Fact(signature.predicate, tuple(map(decode, codes[:-1])))
            else:
                yield time, Fact(signature.predicate, tuple(map(decode, codes)))
