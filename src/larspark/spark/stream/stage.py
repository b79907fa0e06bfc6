"""What all buckets of a stage of a stream know, sent to the operators once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from larspark.language.facts import Signature
from larspark.spark.evaluate.messages import OTHERS
from larspark.spark.evaluate.routing import Route, Ways
from larspark.spark.plan.plan import EvaluationSpan, SparkPlan
from larspark.spark.plan.work import Work
from larspark.spark.stream.buckets.counting import counting
from larspark.spark.stream.buckets.retention import Retained, retained_by
from larspark.spark.stream.checkpoint import fingerprint
from larspark.spark.stream.watermark import Waiting


@dataclass(frozen=True)
class StreamStage:
    """One stage of a stream."""

    stage: int
    work: Work
    """Its span is that of a stream that has not begun."""
    retained: Retained
    waiting: Waiting
    routes: tuple[Route, ...]
    """Of its conclusions, to later stages; the last one leads to the results."""
    labels: tuple[int, ...]
    """The keys under which Spark knows the buckets."""
    owned: frozenset[Signature]
    """Predicates of which this stage is the first reader, so that it tells about late atoms."""
    echoed: frozenset[Signature]
    """Owned predicates that are derived as well; the results show their arriving atoms, too."""
    ordered: bool
    """Whether the order of arrivals matters."""
    early: bool
    """Conclusions after the watermark are told as well, as far as they can be drawn."""
    counting: bool
    """What each rule gives is counted."""
    stream: str
    """Tells streams apart whose state must not be taken for each other's."""

    @property
    def results(self) -> Route:
        return self.routes[-1]


def stream_stages(
    plan: SparkPlan,
    buckets: int,
    waiting: Waiting,
    labels: tuple[int, ...],
    *,
    early: bool = False,
    sinks: int = 1,
    counts: bool = False,
) -> tuple[StreamStage, ...]:
    """The stages of a plan as a chain of operators."""
    ways = Ways(plan, buckets)
    results = Ways(plan, sinks).route(ways.last, frozenset(plan.shown))  # all about one atom ends in one place
    both = plan.analysis.intensional & plan.analysis.extensional & frozenset(plan.shown)
    arriving = arriving_routes(plan, buckets)
    claimed: set[Signature] = set()
    found = []
    for number, planned in enumerate(plan.stages):
        owned = frozenset(arriving[number].keys) - claimed
        claimed |= owned
        later = [ways.delivered(stage) for stage in range(number + 1, len(plan.stages))]
        concluded = planned.stage.predicates | (both & owned)
        work = plan.work(planned, EvaluationSpan(0, 0, 0), buckets)
        found.append(
            StreamStage(
                number,
                counting(work) if counts else work,
                retained_by(plan, planned),
                waiting,
                tuple(_only(route, concluded) for route in (*later, results)),
                labels,
                owned,
                both & owned,
                planned.ordered,
                early,
                counts,
                fingerprint(plan, waiting, buckets),
            )
        )
    return tuple(found)


def arriving_routes(plan: SparkPlan, buckets: int) -> tuple[Route, ...]:
    """The ways of arrivals to all stages."""
    ways = Ways(plan, buckets)
    found = [ways.arriving(number) for number in range(len(plan.stages))]
    if found:
        # What no stage reads is looked at once all the same, since it may be late.
        unread = {OTHERS, *plan.vocabulary.signatures} - {one for route in found for one in route.keys}
        found[0] = ways.route(0, frozenset(found[0].keys) | unread)
    return tuple(found)


def _only(route: Route, signatures: frozenset[Signature]) -> Route:
    return replace(route, keys={one: keys for one, keys in route.keys.items() if one in signatures})
