"""What the definitions say about an evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from larspark.explain.evaluations.world import EvaluationSetting
from larspark.language.facts import Fact
from larspark.semantics.interpretations import Interpretation
from larspark.semantics.output import Evaluator


def answer_streams(
    setting: EvaluationSetting, time: int, known: int | None = None
) -> tuple[Sequence[Interpretation], Mapping[int, frozenset[Fact]]]:
    """All answer streams at the evaluation, and what had been recorded before it; nothing arrives after `known`."""
    evaluator = Evaluator(setting.program, setting.start, setting.background, setting.environment)
    arrivals = setting.until(time if known is None else min(time, known))
    if setting.records:
        for earlier in range(setting.start, time):
            evaluator.arrive(earlier, (one.fact for one in arrivals if one.time == earlier))
            evaluator.evaluate(earlier)
        arrivals = tuple(one for one in arrivals if one.time == time)
    for one in arrivals:
        evaluator.arrive(one.time, [one.fact])
    recorded = dict(evaluator.recorded)
    return evaluator.evaluate(time).answer_streams, recorded
