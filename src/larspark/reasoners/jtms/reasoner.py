"""The JTMS reasoner: one answer stream, kept by truth maintenance at the cost of what changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from larspark.analysis.analysis import Analysis
from larspark.language.calendar import Calendar
from larspark.language.facts import Fact
from larspark.language.values import Value
from larspark.reasoners.jtms.difference import Difference
from larspark.reasoners.jtms.fallback import answer_set
from larspark.reasoners.jtms.grounding import Grounding
from larspark.reasoners.jtms.maintenance import NoAdmissibleModel, TruthMaintenance
from larspark.reasoners.jtms.network import IN, Network, Node
from larspark.reasoners.jtms.nodes import NEVER, Pinned
from larspark.reasoners.jtms.preparation import prepared_rules
from larspark.reasoners.protocol import Answer, AnswerStream, Change


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
        rules = prepared_rules(analysis, background)
        self._grounding = Grounding(analysis, rules, background, start, functions, calendar)
        self._maintenance = TruthMaintenance(fallback=answer_set)
        self._now = start
        self._evaluated = False
        self._consistent = True
        self._holding: set[Fact] = set()
        self._pinned: defaultdict[int, set[Fact]] = defaultdict(set)

    @property
    def network(self) -> Network:
        """The truth maintenance network, for looking at labels and supports."""
        return self._maintenance.network

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        """See the protocol."""
        if time < self._now:
            raise ValueError(f"time moves forward: {time} is before {self._now}")
        change = Difference(self._now, time)
        if self._analysis.recorded and self._evaluated:
            # What is recorded at the time points passed over can be seen at this one.
            for between in range(self._now + 1, time):
                self._evaluate(between, (), change)
        self._evaluate(time, atoms, change)
        self._evaluated = True
        return change.result(self._holding, self._pinned, self._grounding.input_points, self._consistent)

    def answer(self, models: int | None = 1) -> Answer:
        """See the protocol; one answer stream, whatever is asked for."""
        if not self._consistent:
            return Answer(self._now, ())
        inputs = self._grounding.input_points
        elsewhere = {
            time: listed
            for time, facts in sorted(self._pinned.items())
            if time != self._now and (listed := frozenset(fact for fact in facts if (time, fact) not in inputs))
        }
        return Answer(self._now, (AnswerStream(frozenset(self._holding), elsewhere),))

    def _evaluate(self, time: int, atoms: Sequence[Fact], change: Difference) -> None:
        added, removed = self._grounding.advance(time, atoms)
        self._now = time
        try:
            self._relabel(self._maintenance.change(added, removed, [NEVER]), change)
            self._consistent = True
        except NoAdmissibleModel:
            everything = [*self._holding, *(Pinned(at, fact) for at, facts in self._pinned.items() for fact in facts)]
            self._relabel(everything, change)
            self._consistent = False
        for fact in tuple(self._holding) if self._analysis.recorded else ():
            if fact.signature in self._analysis.recorded:
                self._grounding.hold(time, fact)

    def _relabel(self, nodes: Iterable[Node], change: Difference) -> None:
        label = self.network.label
        for node in nodes:
            match node:
                case Fact():
                    change.touch(node, node in self._holding)
                    (self._holding.add if label.get(node) is IN else self._holding.discard)(node)
                case Pinned(time, fact):
                    facts = self._pinned[time]
                    change.touch_pin(time, fact, fact in facts)
                    (facts.add if label.get(node) is IN else facts.discard)(fact)
                    if not facts:
                        del self._pinned[time]
