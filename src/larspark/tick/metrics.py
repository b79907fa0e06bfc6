"""The figures of a tick run: what came and went is counted, the rest is looked up when somebody asks."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence

from larspark.diagnostics import Diagnostic
from larspark.language.facts import Fact, Signature
from larspark.monitoring.metrics import Metrics
from larspark.monitoring.status import Situation, status
from larspark.reasoners.protocol import Reasoner
from larspark.runtime.prepared import Prepared
from larspark.tick.engine import TickEngine
from larspark.tick.output import Output
from larspark.tick.times import TickTimes


class TickMetrics:
    """Fills figures; an engine and its reasoner are there from the first signal on."""

    def __init__(
        self,
        metrics: Metrics,
        prepared: Prepared,
        sources: Sequence[str],
        times: TickTimes,
        behind: Callable[[int], int],
    ) -> None:
        """`behind`: by how many time points a time lies behind the clock."""
        self._metrics, self._prepared, self._sources, self._times = metrics, prepared, sources, times
        self._behind = behind
        self._engine: TickEngine | None = None
        self._reasoner: Reasoner | None = None
        self._first = 0
        self._refused = 0
        self._answers: Counter[Signature] = Counter()
        self._came: dict[Signature, deque[int]] = {}
        metrics.before = self._look_up

    def start(self, engine: TickEngine, reasoner: Reasoner, first: int) -> None:
        self._engine, self._reasoner, self._first = engine, reasoner, first

    def arrived(self, time: int, facts: Sequence[Fact]) -> None:
        """What has come, as far back as it can matter."""
        for fact in facts:
            self._came.setdefault(fact.signature, deque()).append(time)
            retention = self._prepared.analysis.retention.get(fact.signature)
            if retention is None or retention.past is not None:
                _forget(self._came[fact.signature], time - (retention.past or 0 if retention else 0))

    def refuse(self, finding: Diagnostic) -> None:
        if finding.code != "E405":  # late ones are counted by the engine
            self._refused += 1
            self._metrics.add("larspark_records_refused_total", reason=finding.code)

    def write(self, output: Output) -> None:
        derived = self._prepared.analysis.derived
        self._answers.update(fact.signature for fact in output.appeared if fact.signature in derived)

    def _look_up(self, metrics: Metrics) -> None:
        analysis = self._prepared.analysis
        for signature, retention in sorted(analysis.retention.items()):
            if signature.hidden:
                continue
            past = -1 if retention.past is None else retention.past
            metrics.put("larspark_retention", past, predicate=str(signature))
        for signature, count in self._answers.items():
            metrics.put("larspark_answers_total", count, predicate=str(signature))
        engine = self._engine
        if engine is None:
            metrics.status = status(Situation(dict.fromkeys(self._sources)), analysis, self._times.writer)
            return
        summary, now = engine.summary, engine.tick.time
        metrics.put("larspark_atoms_read_total", summary.used + summary.late + self._refused)
        metrics.put("larspark_atoms_used_total", summary.used)
        metrics.put("larspark_atoms_late_total", summary.late)
        metrics.put("larspark_time_seen", now)
        metrics.put("larspark_watermark", now - 1)
        metrics.put("larspark_time_behind", 1 + self._behind(now))
        metrics.put("larspark_stage_seconds_total", engine.seconds, stage="evaluation")
        metrics.put("larspark_facts_kept", getattr(self._reasoner, "kept_rows", None))
        metrics.put("larspark_facts_bound", sum(map(self._mattering, self._came)))
        fed = frozenset(self._came)
        heard = now if summary.used else None
        answers = sum(self._answers.values())
        situation = Situation(
            dict.fromkeys(self._sources, heard), (), self._first, None, 0, answers, fed, self._refused
        )
        metrics.status = status(situation, analysis, self._times.writer)

    def _mattering(self, signature: Signature) -> int:
        """How many of the atoms that came can matter."""
        retention, engine = self._prepared.analysis.retention.get(signature), self._engine
        if retention is None or engine is None:
            return 0
        first = 0 if retention.past is None else engine.tick.time - retention.past
        return sum(time >= first for time in tuple(self._came[signature]))


def _forget(times: deque[int], before: int) -> None:
    while times and times[0] < before:
        times.popleft()
