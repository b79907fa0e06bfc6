"""What is sent to the partitions of a stage, once per stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from larspark.analysis.analysis import Analysis
from larspark.analysis.partitioning.stage_program import StageProgram
from larspark.analysis.pipeline import analyse
from larspark.blocks.buckets import bucket_of
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact, Signature
from larspark.language.values import Value
from larspark.reasoners.protocol import Reasoner
from larspark.reasoners.registry import make_reasoner
from larspark.runtime.functions import import_functions
from larspark.spark.session.workers import take_kernels


class StagePart(NamedTuple):
    """What one partition evaluates: the keys of a bucket, from one evaluation to another."""

    bucket: int
    begin: int
    end: int


@dataclass(frozen=True)
class Work:
    """A stage program with everything it is evaluated in. All partitions share the timeline [start, end]."""

    stage: StageProgram
    background: tuple[Fact, ...]
    own: Mapping[str, frozenset[Value]]
    """For each guard all key values; a partition takes its share."""
    numbers: Mapping[Signature, int]
    start: int
    begin: int
    """The first evaluation whose conclusions are wanted; earlier ones are known already."""
    end: int
    buckets: int
    reasoner: str
    calendar: Calendar
    allow_functions: bool = False
    divided: tuple[StagePart, ...] = ()
    """The partitions, where some buckets are divided in time; empty: one for each bucket."""

    @property
    def parts(self) -> tuple[StagePart, ...]:
        return self.divided or tuple(StagePart(number, self.begin, self.end) for number in range(self.buckets))

    @property
    def columnar(self) -> bool:
        """Evaluated in columns; otherwise time point by time point."""
        return self.reasoner == "interval" and not self.stage.records

    def analysis(self) -> Analysis:
        guards = {Signature(name, 1) for name in self.own}
        given = {fact.signature for fact in self.background} | guards
        return analyse(self.stage.program, background=given, allow_functions=self.allow_functions)

    def facts(self, number: int) -> tuple[Fact, ...]:
        """The background of a bucket: all facts, and its share of the keys."""
        return (*self.background, *self._shares(number))

    def _shares(self, number: int) -> tuple[Fact, ...]:
        return tuple(
            Fact(name, (value,))
            for name, values in self.own.items()
            for value in sorted(values, key=repr)
            if bucket_of(value, self.buckets) == number
        )

    def restore(self, snapshot: bytes) -> Reasoner:
        """The interval reasoner of a partition, where its snapshot was taken."""
        from larspark.reasoners.interval.reasoner import IntervalReasoner  # noqa: PLC0415 - loads numba

        take_kernels()
        analysis = self.analysis()
        functions = import_functions(analysis.program) if self.allow_functions else {}
        return IntervalReasoner.restore(snapshot, analysis, functions=functions, calendar=self.calendar)

    def make(self, number: int) -> Reasoner:
        """The reasoner of a bucket."""
        analysis = self.analysis()
        functions = import_functions(analysis.program) if self.allow_functions else {}
        if self.reasoner == "clingo" and self.stage.places is not None:
            from larspark.reasoners.clingo.per_key import Keys, PerKey  # noqa: PLC0415 - loads clingo

            keys = Keys(self.stage.places, self._lasting(number), self.background)
            return PerKey(analysis, keys, self.start, functions=functions, calendar=self.calendar)
        if self.reasoner == "interval":
            take_kernels()
        return make_reasoner(
            self.reasoner, analysis, self.facts(number), self.start, functions=functions, calendar=self.calendar
        )

    def _lasting(self, number: int) -> dict[Value | None, tuple[Fact, ...]]:
        """Each key of the bucket's share with its own background; `None` is for rules that fire without a key."""
        shares: dict[Value | None, tuple[Fact, ...]] = {None: ()}
        for fact in self._shares(number):
            shares[fact.args[0]] = (*shares.get(fact.args[0], ()), fact)
        return {key: (*self.background, *share) for key, share in shares.items()}
