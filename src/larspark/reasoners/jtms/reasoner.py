"""The JTMS reasoner: one answer stream, kept by truth maintenance at the cost of what changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from larspark.analysis.analysis import Analysis
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.language.values import Value
from larspark.reasoners.jtms.grounding import Grounding
from larspark.reasoners.jtms.layers import NetworkLayers
from larspark.reasoners.jtms.network import IN, JustificationNetwork, Node
from larspark.reasoners.jtms.nodes import never
from larspark.reasoners.jtms.preparation import prepared_rules
from larspark.reasoners.jtms.shown import Shown
from larspark.reasoners.pinned import Pinned
from larspark.reasoners.protocol import Answer, Change


class JtmsReasoner:
    """Maintains an answer stream; see `reasoners/protocol.py` for its use."""

    def __init__(
        self,
        analysis: Analysis,
        background: Iterable[Fact] = (),
        start: int = 0,
        *,
        functions: Mapping[str, Callable[..., Value]] | None = None,
        calendar: Calendar | None = None,
    ) -> None:
        self._analysis = analysis.require("jtms")
        background = tuple(background)
        prepared = prepared_rules(analysis, background)
        self._grounding = Grounding(analysis, prepared, background, start, functions, calendar)
        self._layers = NetworkLayers(prepared.top + 1, self._grounding.place, never)
        self._now = start
        self._evaluated = False
        self._consistent = True
        self._shown = Shown()
        self._coming: defaultdict[int, set[Fact]] = defaultdict(set)
        """What is recorded at times ahead."""

    @property
    def network(self) -> JustificationNetwork:
        """The truth maintenance network (of the highest level), for looking at labels and supports."""
        return self._layers.network(self._layers.count - 1)

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        """See the protocol."""
        if time < self._now:
            raise ValueError(f"time moves forward: {time} is before {self._now}")
        if self._analysis.recorded and self._evaluated:
            # What is recorded at the time points passed over can be seen at this one.
            for between in range(self._now + 1, time):
                self._evaluate(between, ())
        self._evaluate(time, atoms)
        self._evaluated = True
        return self._shown.change(time, self._consistent)

    def answer(self, models: int | None = 1) -> Answer:
        """See the protocol; one answer stream, whatever is asked for."""
        return Answer(self._now, (self._shown.stream(),) if self._consistent else ())

    def _evaluate(self, time: int, atoms: Sequence[Fact]) -> None:
        for at in [at for at in self._coming if at <= time]:
            for fact in self._coming.pop(at):
                self._grounding.hold(at, fact)
        before, self._now = self._now, time
        self._layers.begin()
        self._grounding.advance(time, atoms)
        touched = self._settle()
        if not self._layers.consistent:
            self._shown.clear()
            self._grounding.touched_inputs()
            self._consistent = False
            return
        if not self._consistent:
            touched = self._layers.holding()
        moved = self._grounding.pinned_at(before) | self._grounding.pinned_at(time) if before != time else set[Node]()
        self._show(touched | moved | self._grounding.touched_inputs())
        self._consistent = True
        if self._analysis.recorded:
            self._record()

    def _settle(self) -> set[Node]:
        """Let the labels follow, level by level, with the values of aggregates in between; what changed."""
        touched: set[Node] = set()
        self._layers.change(self._grounding.changes())
        level = 0
        while level < self._layers.count:
            decided = self._layers.settle(level)
            touched |= decided
            self._grounding.count(decided, self._layers.label)
            if self._grounding.questions(level):
                self._grounding.answer(level)
                self._layers.change(self._grounding.changes())
            waiting = self._layers.next_level()
            if waiting is not None and waiting <= level:
                level = waiting
            elif not self._grounding.questions(level):
                level += 1
        return touched

    def _show(self, nodes: Iterable[Node]) -> None:
        label, shown = self._layers.label, self._analysis.intensional
        inputs = self._grounding.input_points
        for node in nodes:
            match node:
                case Fact() if node.signature in shown:
                    self._shown.hold(node, label(node) is IN)
                case Pinned(time):
                    listed = label(node) is IN and time != self._now and node not in inputs
                    self._shown.list(node, listed)

    def _record(self) -> None:
        """Recorded conclusions join the data at their times, for later evaluations; those ahead when it is time."""
        recorded = self._analysis.recorded
        conclusions = [(self._now, fact) for fact in self._shown.now]
        conclusions += [(time, fact) for time, facts in self._shown.pinned.items() for fact in facts]
        for time, fact in conclusions:
            if fact.signature in recorded:
                if time > self._now:
                    self._coming[time].add(fact)
                else:
                    self._grounding.hold(time, fact)
