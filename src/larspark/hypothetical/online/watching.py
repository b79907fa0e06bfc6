"""What those who judge answers see of the algorithm that drives them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from larspark.hypothetical.answers.answers import Schema, SupportedAnswer
from larspark.hypothetical.offline.retention import EvidenceRetention
from larspark.hypothetical.online.matcher import Matcher
from larspark.hypothetical.online.query import Query, WatchOptions
from larspark.hypothetical.online.relations import Row
from larspark.hypothetical.online.stages import ProgressStage
from larspark.hypothetical.theory.terms import Key
from larspark.hypothetical.theory.theory import Theory
from larspark.language.facts import Fact


class Watching(Protocol):
    """A goal over a theory at a time; `hypothetical.online_algorithm.Online` is one."""

    theory: Theory
    options: WatchOptions
    time: int
    moment: int
    arrived: dict[int, set[Fact]]
    query: Query
    negated: dict[Key, Query]
    retention: EvidenceRetention

    @property
    def closed(self) -> int: ...

    def schemata(self, query: Query) -> Iterator[Schema]: ...

    def schema(self, matcher: Matcher, stage: ProgressStage, row: Row) -> Schema: ...

    def unmet(self, matcher: Matcher) -> Sequence[Schema]: ...

    def holds_anyway(self, answer: SupportedAnswer) -> bool: ...
