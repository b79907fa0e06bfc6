"""What all buckets of a stage know, sent to the operators once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from larspark.spark.plan import Plan, Span
from larspark.spark.rows import OTHER
from larspark.spark.streaming.checkpoint import fingerprint
from larspark.spark.streaming.memory import Memory, memory_of
from larspark.spark.streaming.routing import Route, owners, routes, sink_route
from larspark.spark.streaming.timeline import Patience
from larspark.spark.work import Work


@dataclass(frozen=True)
class StageTask:
    """One stage of a stream."""

    stage: int
    work: Work
    """Its span is that of a stream that has not begun."""
    memory: Memory
    patience: Patience
    routes: tuple[Route, ...]
    """Of all stages."""
    sink: Route
    """It comes after the last stage."""
    labels: tuple[int, ...]
    """The keys under which Spark knows the buckets."""
    owned: frozenset[int]
    """Predicates of which this stage is the first reader, so that it tells about late atoms."""
    echoed: frozenset[int]
    """Owned predicates that are derived as well; the output shows their arriving atoms, too."""
    early: bool
    """Conclusions after the watermark are told as well, as far as they can be drawn."""
    stream: str
    """Tells streams apart whose state must not be taken for each other's."""

    @cached_property
    def read(self) -> frozenset[int]:
        """The arriving predicates that the stage evaluates."""
        return frozenset({*self.memory.pasts, OTHER} if self.memory.counted else self.memory.pasts)


def stage_tasks(
    plan: Plan, buckets: int, patience: Patience, labels: tuple[int, ...], early: bool = False, sinks: int = 1
) -> tuple[StageTask, ...]:
    """The stages of a plan as a chain of operators."""
    numbers, found = plan.vocabulary.numbers, routes(plan, buckets)
    both = frozenset(numbers[one] for one in plan.analysis.intensional & plan.analysis.extensional)
    shown = frozenset(numbers[one] for one in plan.shown)
    return tuple(
        StageTask(
            stage,
            plan.work(planned, Span(0, 0, 0), buckets),
            memory_of(plan, planned),
            patience,
            found,
            sink_route(plan, sinks),
            labels,
            owned,
            both & owned & shown,
            early,
            fingerprint(plan, patience, buckets),
        )
        for stage, (planned, owned) in enumerate(zip(plan.stages, owners(found), strict=True))
    )
