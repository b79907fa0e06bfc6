"""What the definitions say about an evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from larspark.explain.evaluations.history import AnswerHistory, Sourced
from larspark.explain.evaluations.world import EvaluationSetting, World
from larspark.language.facts import Fact
from larspark.semantics.interpretations import Interpretation, TimedFact
from larspark.semantics.output import Evaluator


@dataclass(frozen=True)
class Judged:
    """All answer streams at an evaluation, and what had been recorded before it."""

    setting: EvaluationSetting
    time: int
    streams: Sequence[Interpretation]
    recorded: Mapping[int, frozenset[Fact]]
    recorders: Mapping[TimedFact, Sequence[int]] = field(default_factory=dict)
    """The evaluations that concluded what was recorded."""

    def world(self, stream: Interpretation) -> World:
        """One of the answer streams, as explanations see it; of the past nothing is told."""
        arrived, unknown = self.setting.until(self.time), AnswerHistory(self.time, self.time, ())

        def since(first: int) -> tuple[Sourced, ...]:
            return tuple(one for one in arrived if one.time >= first)

        return World(self.setting, self.time, lambda: unknown, since, stream.atoms, self.recorded)


def judged(setting: EvaluationSetting, time: int, known: int | None = None, added: Iterable[Sourced] = ()) -> Judged:
    """Nothing arrives after `known`, but what is `added`."""
    evaluator = Evaluator(setting.program, setting.start, setting.background, setting.environment)
    arrived = setting.until(time if known is None else min(time, known))
    arrivals = sorted((*arrived, *(one for one in added if one.time <= time)), key=lambda one: one.time)
    recorders: dict[TimedFact, list[int]] = {}
    if setting.records:
        for earlier in range(setting.start, time):
            evaluator.arrive(earlier, (one.fact for one in arrivals if one.time == earlier))
            chosen = evaluator.evaluate(earlier).chosen
            for timed in chosen.atoms if chosen is not None else ():
                recorders.setdefault(timed, []).append(earlier)
        arrivals = [one for one in arrivals if one.time == time]
    for one in arrivals:
        evaluator.arrive(one.time, [one.fact])
    recorded = {at: facts for at, facts in evaluator.recorded.items() if at <= time}  # what lies ahead is not seen yet
    return Judged(setting, time, evaluator.evaluate(time).answer_streams, recorded, recorders)
