"""Facts of Python programs as chunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from larspark.language.facts import Fact
from larspark.read.batch import ChunkMaker, RecordColumns, parts_of_facts
from larspark.read.chunk import Chunk
from larspark.read.rules import Rules
from larspark.read.values.records import batch_of_records, record
from larspark.read.values.times import NEVER


@dataclass(frozen=True)
class FactPlaces:
    """Facts stand nowhere; as texts they are spelled."""

    facts: Sequence[Fact]

    def origin(self, _row: int) -> None:
        return None

    def text(self, row: int) -> str:
        return str(self.facts[row])


def chunk_of_facts(arrivals: Iterable[tuple[object, Fact]], rules: Rules, first: int = 0) -> Chunk:
    """Times and facts, in the order of arrival; `first` is the first `order`."""
    pairs = list(arrivals)
    facts = [fact for _, fact in pairs]
    times = [time for time, _ in pairs if type(time) is int and 0 <= time < NEVER]
    if len(times) == len(facts) and rules.timed and not rules.typed:
        parts = tuple(parts_of_facts(enumerate(facts)))
        return ChunkMaker(rules, first).chunk(RecordColumns(np.array(times, np.int64), parts, FactPlaces(facts)))
    records = [record(fact, time, rules) for time, fact in pairs]
    return ChunkMaker(rules, first).chunk(batch_of_records(records, FactPlaces(facts)))
