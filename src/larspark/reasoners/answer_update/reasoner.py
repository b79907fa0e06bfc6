"""The answer-update reasoner: adapts the previous answer stream to new and outdated input, stratum by stratum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from larspark.analysis.analysis import Analysis
from larspark.intervals.sets import FOREVER
from larspark.language.calendar import Calendar
from larspark.language.evaluate import Functions
from larspark.language.facts import Fact, fact_order
from larspark.reasoners.answer_update.labels import Label, Status
from larspark.reasoners.answer_update.nodes import LabelledAtom, PlainAtom, SeenAtom
from larspark.reasoners.answer_update.retention import history_for
from larspark.reasoners.answer_update.rules import CompiledStratum
from larspark.reasoners.answer_update.strata import strata
from larspark.reasoners.answer_update.stratum import StratumState, updates
from larspark.reasoners.answer_update.views import FixedInput
from larspark.reasoners.answer_update.world import ChoiceWorld
from larspark.reasoners.pinned import Pinned
from larspark.reasoners.protocol import Answer, AnswerStream, Change
from larspark.reasoners.results import change_between, stream_of

States = tuple[StratumState, ...]


class AnswerUpdateReasoner:
    """Labels for every extended atom, maintained over time (IJCAI 2015); takes window-stratified plain programs."""

    def __init__(
        self,
        analysis: Analysis,
        background: Iterable[Fact] = (),
        start: int = 0,
        *,
        functions: Functions | None = None,
        calendar: Calendar | None = None,
    ) -> None:
        analysis.require("answer-update")
        background = tuple(background)
        self._functions, self._calendar = functions, calendar
        self._analysis = analysis
        self._strata = strata(analysis, frozenset(fact.signature for fact in background))
        self._input = FixedInput(start, history_for(analysis, start), background)
        self._states: States = tuple(StratumState() for _ in self._strata)
        """The last labels that were an answer."""
        self._evaluated = False
        self._answer: AnswerStream | None = AnswerStream()
        """None: there is no answer stream."""

    # -- Reasoner ----------------------------------------------------------------------------------

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        """See `Reasoner.advance`; with `#record` the time points passed over count as evaluations."""
        before = self._answer
        if self._analysis.recorded and self._evaluated:
            for between in range(self._input.time + 1, time):
                self._evaluate(between, ())
        self._evaluate(time, atoms)
        return change_between(time, before, self._answer)

    def answer(self, models: int | None = 1) -> Answer:
        time = self._input.time
        if self._answer is None:
            return Answer(time, ())
        if models == 1 or not self._evaluated:
            return Answer(time, (self._answer,))
        found: list[AnswerStream] = []
        for states in self._update(self._states):
            stream = self._read_off(states)
            if stream not in found:
                found.append(stream)
            if len(found) == models:
                break
        return Answer(time, tuple(found))

    def next_change(self) -> int | None:
        """See `Foreseeing.next_change`: when something expires, fires later or falls due."""
        time = self._input.time
        if self._answer is None or self._analysis.recorded or any(part.clocked for part in self._strata):
            return time + 1
        ends = (rows.until for state in self._states for rows in state.reads.values())
        pinned = (node.time for state in self._states for node in state.intervals if isinstance(node, Pinned))
        return min(
            [*(end + 1 for end in ends if end < FOREVER), *(max(due, time + 1) for due in pinned if due >= time)],
            default=None,
        )

    # -- looking inside ----------------------------------------------------------------------------

    @property
    def strata(self) -> tuple[CompiledStratum, ...]:
        return self._strata

    @property
    def states(self) -> States:
        """Ground rules, labels and trace of every stratum at the last evaluation."""
        return self._states

    def label(self, atom: LabelledAtom) -> Label:
        """The label of an extended atom at the current evaluation."""
        time = self._input.time
        if isinstance(atom, SeenAtom):
            intervals = self._world().rows(atom.view).label(atom)
        else:
            intervals = next((state.intervals[atom] for state in self._states if atom in state.intervals), None)
        return Label(Status.OUT, ((time, time),)) if intervals is None else Label(Status.IN, intervals)

    def reference_times(self, fact: Fact) -> tuple[int, ...]:
        """The time points at which a derived atom holds in the current answer stream."""
        stream = self._answer or AnswerStream()
        times = [time for time, facts in stream.at.items() if fact in facts]
        return tuple(sorted([*times, self._input.time] if fact in stream.now else times))

    # ----------------------------------------------------------------------------------------------

    def _evaluate(self, time: int, atoms: Sequence[Fact]) -> None:
        self._record()
        self._evaluated = True
        self._input.time = time
        self._input.history.move(time)
        self._input.history.arrive(time, atoms)
        self._input.history.forget(time)
        states = next(self._update(self._states), None)
        if states is not None:
            self._states = states
        self._answer = None if states is None else self._read_off(states)

    def _update(self, previous: States) -> Iterator[States]:
        """All answers at the current evaluation, going back to lower strata where a higher one has no labels."""

        def climb(level: int, world: ChoiceWorld, below: States) -> Iterator[States]:
            if level == len(self._strata):
                yield below
                return
            stratum = self._strata[level]
            for state in updates(stratum, world, previous[level]):
                higher = world.push_up(state.conclusions(stratum.predicates))
                yield from climb(level + 1, higher, (*below, state))

        return climb(0, self._ground(), ())

    def _ground(self) -> ChoiceWorld:
        """The input alone, before any stratum."""
        return ChoiceWorld(self._input, self._functions, self._calendar)

    def _world(self) -> ChoiceWorld:
        world = self._ground()
        for stratum, state in zip(self._strata, self._states, strict=True):
            world = world.push_up(state.conclusions(stratum.predicates))
        return world

    def _read_off(self, states: States) -> AnswerStream:
        time = self._input.time
        nodes = [node for state in states for node in state.intervals]
        now = ((time, node.fact) for node in nodes if isinstance(node, PlainAtom))
        elsewhere = ((node.time, node.fact) for node in nodes if isinstance(node, Pinned) and not self._arrived(node))
        return stream_of(time, (*now, *elsewhere))

    def _arrived(self, pinned: Pinned) -> bool:
        """Atoms that arrived (`#input`) or were recorded earlier are data, no conclusions."""
        signature = pinned.fact.signature
        if signature not in self._analysis.extensional | self._analysis.recorded:
            return False
        return self._input.history.has(*pinned)

    def _record(self) -> None:
        """Before the next evaluation the recorded conclusions of the last one join the stream, each at its time."""
        if self._answer is not None and self._analysis.recorded:
            for time, facts in ((self._input.time, self._answer.now), *self._answer.at.items()):
                for fact in sorted(facts, key=fact_order):
                    if fact.signature in self._analysis.recorded:
                        self._input.history.record(time, fact)
