"""Output over time: the answer streams at one evaluation after the other.

Nothing derived at an earlier evaluation is in the stream, except what `#record` names: the conclusions about these
predicates join the data, each at its own time, and later evaluations see them, from that time on if it lies ahead. They
are data without an arrival, so tuple windows do not count them; nor what `#hold` adds to the arrivals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from larspark.language.facts import Fact, Signature
from larspark.language.tree import Hold, Program, Record
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.holding import held
from larspark.semantics.interpretations import Interpretation
from larspark.semantics.preference import preferred
from larspark.semantics.streams import NOTHING, Arrival, Stream, merged
from larspark.semantics.structures import PLAIN, Environment


@dataclass(frozen=True)
class Evaluation:
    """All preferred answer streams at a time point, or at a tick of it; none is a result too."""

    time: int
    count: int
    """The arrivals so far."""
    answer_streams: tuple[Interpretation, ...]
    chosen: Interpretation | None
    """The one whose conclusions are recorded."""

    @property
    def output(self) -> frozenset[Fact] | None:
        """What holds now in the chosen answer stream, None if there is none."""
        return None if self.chosen is None else self.chosen.output(self.time)


@dataclass
class Evaluator:
    """A resolved program over a stream that grows; the timeline is [start, ∞)."""

    program: Program
    start: int = 0
    background: Sequence[Fact] = ()
    environment: Environment = PLAIN
    limit: int | None = None
    arrivals: list[Arrival] = field(default_factory=list)
    recorded: dict[int, frozenset[Fact]] = field(default_factory=dict)
    """By the time at which they hold, also ahead."""
    last: Evaluation | None = None

    @property
    def records(self) -> frozenset[Signature]:
        return frozenset(d.signature for d in self.program.directives if isinstance(d, Record))

    @property
    def holds(self) -> tuple[Hold, ...]:
        return tuple(d for d in self.program.directives if isinstance(d, Hold))

    def arrive(self, time: int, facts: Iterable[Fact]) -> None:
        self.arrivals += [Arrival(time, fact) for fact in facts]

    def evaluate(self, time: int) -> Evaluation:
        """The answer streams for what has arrived; then the recorded atoms join the data."""
        so_far = {at: facts for at, facts in self.recorded.items() if at <= time}
        so_far = dict(merged(so_far, held(self.holds, self.arrivals, time)))
        stream = Stream.of(self.start, None, self.arrivals, so_far)
        found = answer_streams(
            self.program,
            stream,
            time,
            background=self.background,
            limit=self.limit,
            environment=self.environment,
        )
        found = preferred(self.program, found, time, background=self.background, environment=self.environment)
        evaluation = Evaluation(time, len(self.arrivals), tuple(found), stay(self.last, found, time))
        if evaluation.chosen is not None and (records := self.records):
            for at, facts in evaluation.chosen.derived.items():
                kept = frozenset(fact for fact in facts if fact.signature in records)
                self.recorded[at] = self.recorded.get(at, NOTHING) | kept
        self.last = evaluation
        return evaluation


def stay(last: Evaluation | None, found: Sequence[Interpretation], time: int) -> Interpretation | None:
    """The answer stream that changes least: the same conclusions as before if possible, else the same output."""
    if last is None or last.chosen is None:
        return found[0] if found else None
    before, pinned = last.output, _elsewhere(last.chosen, last.time)
    return min(
        found,
        key=lambda one: (one.output(time) != before, _elsewhere(one, time) != pinned),
        default=None,
    )


def _elsewhere(interpretation: Interpretation, time: int) -> dict[int, frozenset[Fact]]:
    return {at: facts for at, facts in interpretation.derived.items() if at != time}


def pull(evaluator: Evaluator, stream: Stream, until: int) -> Iterator[Evaluation]:
    """An evaluation at every time point, after all its atoms."""
    for time in range(evaluator.start, until + 1):
        evaluator.arrive(time, (arrival.fact for arrival in stream.input if arrival.time == time))
        yield evaluator.evaluate(time)


def push(evaluator: Evaluator, stream: Stream) -> Iterator[Evaluation]:
    """An evaluation after every atom that arrives."""
    for time, fact in stream.arrivals():
        evaluator.arrive(time, [fact])
        yield evaluator.evaluate(time)
