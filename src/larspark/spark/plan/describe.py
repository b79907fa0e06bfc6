"""The stage plan as text and as a value for other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from larspark.language.facts import Signature
from larspark.language.tree import Rule
from larspark.spark.plan.division import obstacle, reach_of
from larspark.spark.plan.plan import PlannedStage, SparkPlan


def describe(plan: SparkPlan) -> Iterator[str]:
    """Line by line: per stage its conclusions, its key, what is routed to it, and why it is not split."""
    twice = routed_twice(plan)
    for number, planned in enumerate(plan.stages, 1):
        stage = planned.stage
        yield f"stage {number}  {stage.title}"
        if stage.fixed:
            yield "    facts of the program, in every partition"
        elif stage.keyed:
            names = ", ".join(dict.fromkeys(key.variable for key in stage.keys))
            yield f"    split by {names}, {_evaluated(planned)}"
        else:
            yield f"    one partition, {_evaluated(planned)}"
            yield from dict.fromkeys(f"      because {found.because}{_line(found.rule)}" for found in stage.obstacles)
        for signature, position in planned.reads.items():
            yield f"    reads {signature} {_route(planned, signature, position, twice)}"
        for key in stage.keys:
            if key.guard:
                yield f"    {key.variable} takes its values from {key.guard.signature}{_line(key.rule)}"
        if planned.reads:
            yield f"    {_time(plan, planned)}"
    if plan.scattered:
        yield f"united at the end: {_listed(plan.scattered)}"


def routed_twice(plan: SparkPlan) -> frozenset[Signature]:
    """Predicates that several stages read."""
    counted = Counter(one for planned in plan.stages for one in planned.reads)
    return frozenset(one for one, times in counted.items() if times > 1)


def as_json(plan: SparkPlan) -> dict[str, Any]:
    return {
        "stages": [
            {
                "level": planned.stage.level,
                "concludes": [str(one) for one in planned.stage.written],
                "one_partition": not planned.stage.keyed,
                "because": [found.because for found in planned.stage.obstacles],
                "reads": {str(one): None if place is None else place + 1 for one, place in planned.reads.items()},
                "reasoner": planned.reasoner,
                "chooses": planned.stage.chooses,
                "time_undivided_because": obstacle(plan, planned) or None,
            }
            for planned in plan.stages
        ],
        "routed_twice": [str(one) for one in sorted(routed_twice(plan))],
    }


def _route(planned: PlannedStage, signature: Signature, position: int | None, twice: frozenset[Signature]) -> str:
    source = "from an earlier stage" if signature in planned.program.delivered else "from the input"
    again = ", as another stage does" if signature in twice else ""
    return f"{source}{'' if position is None else f' by argument {position + 1}'}{again}"


def _evaluated(planned: PlannedStage) -> str:
    stage = planned.stage
    if not stage.chooses:
        return f"evaluated by the {planned.reasoner} reasoner"
    together = "each key" if stage.keyed else "everything"
    return f"{together} decided by the {planned.reasoner} reasoner, apart from other stages"


def _time(plan: SparkPlan, planned: PlannedStage) -> str:
    """What can be done about a heavy partition."""
    reason = obstacle(plan, planned)
    if reason:
        return f"time cannot be divided, because {reason}"
    return f"time can be divided in a bounded run, windows reach back {reach_of(plan, planned)}"


def _listed(signatures: frozenset[Signature]) -> str:
    return ", ".join(map(str, sorted(signatures)))


def _line(rule: Rule) -> str:
    return f" (line {rule.origin.line})" if rule.origin else ""
