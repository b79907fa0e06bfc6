"""What each rule costs: the seconds and rows of the interval reasoner, here or in the tasks of a run on Spark."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from larspark.language.tree import Program, Rule
from larspark.questions.explaining import Case
from larspark.runtime.recording import Recording

if TYPE_CHECKING:
    from larspark.reasoners.interval.state.profile import Profile


def measured(case: Case) -> Profile:
    """One more evaluation, measured."""
    from larspark.reasoners.interval import IntervalReasoner  # noqa: PLC0415 - loads kernels
    from larspark.runtime.replay import Replay  # noqa: PLC0415

    reasoner = case.prepared.reasoner("interval", case.start)
    assert isinstance(reasoner, IntervalReasoner)
    profile = reasoner.profiled()
    recording = Recording.of_facts(((one.time, one.fact) for one in case.arrivals), (case.start, case.end))
    deque(Replay(reasoner, case.prepared.analysis.shown).intervals(recording.chunks(), case.end), maxlen=0)
    return profile


def costs_by_rule(program: Program, profile: Profile) -> list[dict[str, Any]]:
    """`{"seconds", "rows"}` for every rule; rules of one line are measured together."""
    found = []
    for rule in program.rules:
        cost = profile.costs.get(_place(rule))
        found.append({} if cost is None else {"seconds": round(cost.seconds, 6), "rows": cost.rows})
    return found


def _place(rule: Rule) -> str:
    return "" if rule.origin is None else f"{rule.origin.file}:{rule.origin.line}"
