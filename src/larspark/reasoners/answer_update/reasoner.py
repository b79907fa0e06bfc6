"""The answer-update reasoner: adapts the previous answer stream to new and outdated input, stratum by stratum."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from larspark.analysis.analysis import Analysis
from larspark.analysis.occurrences import body_occurrences
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Rule, Window
from larspark.reasoners.answer_update.history import Arrival, History
from larspark.reasoners.answer_update.labels import Label, Status
from larspark.reasoners.answer_update.nodes import ExtendedAtom, Plain, Seen
from larspark.reasoners.answer_update.rules import CompiledStratum, compile_stratum
from larspark.reasoners.answer_update.stratum import StratumState, pinned_elsewhere, updates
from larspark.reasoners.answer_update.views import Input
from larspark.reasoners.answer_update.windows import Plugins, Substream, counts, forgets, select
from larspark.reasoners.answer_update.world import World
from larspark.reasoners.protocol import Answer, AnswerStream, Change

States = tuple[StratumState, ...]


class AnswerUpdateReasoner:
    """Labels for every extended atom, maintained over time (IJCAI 2015); takes window-stratified plain programs."""

    def __init__(
        self,
        analysis: Analysis,
        background: Iterable[Fact] = (),
        start: int = 0,
        windows: Plugins | None = None,
    ) -> None:
        analysis.require("answer-update")
        self._plugins = windows or {}
        self._analysis = analysis
        self._strata = strata(analysis)
        self._input = Input(start, _history(analysis, start, self._plugins), background, self._plugins)
        self._states: States = tuple(StratumState() for _ in self._strata)
        """The last labels that were an answer."""
        self._consistent = True
        self._answer = AnswerStream()

    # -- Reasoner ----------------------------------------------------------------------------------

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        self._record(time)
        self._input.time = time
        self._input.history.arrive(time, atoms)
        self._input.history.forget(time)
        states = next(self._update(self._states), None)
        before = self._answer
        self._consistent = states is not None
        if states is not None:
            self._states = states
        self._answer = AnswerStream() if states is None else self._read_off(states)
        return _difference(time, before, self._answer, self._consistent)

    def answer(self, models: int | None = 1) -> Answer:
        time = self._input.time
        if not self._consistent:
            return Answer(time, ())
        if models == 1:
            return Answer(time, (self._answer,))
        found: list[AnswerStream] = []
        for states in self._update(self._states):
            stream = self._read_off(states)
            if stream not in found:
                found.append(stream)
            if len(found) == models:
                break
        return Answer(time, tuple(found))

    # -- looking inside ----------------------------------------------------------------------------

    @property
    def strata(self) -> tuple[CompiledStratum, ...]:
        return self._strata

    @property
    def states(self) -> States:
        """Ground rules, labels and trace of every stratum at the last evaluation."""
        return self._states

    def label(self, atom: ExtendedAtom) -> Label:
        """The label of an extended atom at the current evaluation."""
        time = self._input.time
        if isinstance(atom, Seen):
            intervals = self._world().rows(atom.view).labels.get(atom)
        else:
            intervals = next((state.intervals[atom] for state in self._states if atom in state.intervals), None)
        return Label(Status.OUT, ((time, time),)) if intervals is None else Label(Status.IN, intervals)

    def reference_times(self, fact: Fact) -> tuple[int, ...]:
        """The time points at which a derived atom holds in the current answer stream."""
        stream = self._answer
        times = [time for time, facts in stream.at.items() if fact in facts]
        return tuple(sorted([*times, self._input.time] if fact in stream.now else times))

    # ----------------------------------------------------------------------------------------------

    def _update(self, previous: States) -> Iterator[States]:
        """All answers at the current evaluation, going back to lower strata where a higher one has no labels."""

        def climb(level: int, world: World, below: States) -> Iterator[States]:
            if level == len(self._strata):
                yield below
                return
            stratum = self._strata[level]
            for state in updates(stratum, world, previous[level]):
                higher = world.push_up(state.conclusions(stratum.predicates))
                yield from climb(level + 1, higher, (*below, state))

        return climb(0, World(self._input), ())

    def _world(self) -> World:
        world = World(self._input)
        for stratum, state in zip(self._strata, self._states, strict=True):
            world = world.push_up(state.conclusions(stratum.predicates))
        return world

    def _read_off(self, states: States) -> AnswerStream:
        now: set[Fact] = set()
        at: dict[int, set[Fact]] = defaultdict(set)
        for state in states:
            now.update(node.fact for node in state.intervals if isinstance(node, Plain))
            for pinned in pinned_elsewhere(state):
                at[pinned.time].add(pinned.fact)
        return AnswerStream(frozenset(now), {time: frozenset(facts) for time, facts in sorted(at.items())})

    def _record(self, time: int) -> None:
        """When time moves on, the recorded conclusions of the last evaluation join the stream."""
        if time > self._input.time and self._analysis.recorded:
            facts = [fact for fact in sorted(self._answer.now) if fact.signature in self._analysis.recorded]
            self._input.history.arrive(self._input.time, facts, counted=False)


def strata(analysis: Analysis) -> tuple[CompiledStratum, ...]:
    """A stream stratification (IJCAI 2015, Def. 5), the finest one: components of the dependency graph in order.

    A constraint joins the highest stratum it reads without window or aggregate, so that it cuts the search there;
    otherwise it is a stratum of its own.
    """
    numbers = {id(rule): number for number, rule in enumerate(analysis.program.rules)}
    level_of = {signature: level for level, part in enumerate(analysis.components) for signature in part.predicates}
    rules: list[list[Rule]] = [list(component.rules) for component in analysis.components]
    own: list[Rule] = []
    for constraint in analysis.constraints:
        reads = [(level_of[o.atom.signature], o) for o in body_occurrences(constraint) if o.atom.signature in level_of]
        highest = max((level for level, _ in reads), default=None)
        top = [found.context for level, found in reads if level == highest]
        if highest is None or any(context.windows or context.aggregated for context in top):
            own.append(constraint)
        else:
            rules[highest].append(constraint)
    components = [
        compile_stratum(component.predicates, ((numbers[id(rule)], rule) for rule in group))
        for component, group in zip(analysis.components, rules, strict=True)
    ]
    return (*components, *(compile_stratum((), [(numbers[id(rule)], rule)]) for rule in own))


def _history(analysis: Analysis, start: int, plugins: Plugins) -> History:
    past: Mapping[Signature, int | None] = {
        signature: retention.past for signature, retention in analysis.retention.items()
    }
    chains = {
        found.context.windows
        for rule in analysis.program.rules
        for found in body_occurrences(rule)
        if any(map(counts, found.context.windows))
    }

    def still_counted(log: list[Arrival], time: int) -> set[int]:
        positions = {id(arrival): position for position, arrival in enumerate(log)}
        return {
            positions[id(arrival)]
            for chain in chains
            for arrival in _through(chain, Substream(start, time, log), time, plugins).arrivals
        }

    droppable = all(forgets(window) for chain in chains for window in chain)
    return History(past, bool(chains), still_counted if droppable else None)


def _through(chain: tuple[Window, ...], stream: Substream, time: int, plugins: Plugins) -> Substream:
    for window in chain:
        stream = select(window, stream, time, plugins)
    return stream


def _difference(time: int, before: AnswerStream, after: AnswerStream, consistent: bool) -> Change:
    old = {(at, fact) for at, facts in before.at.items() for fact in facts}
    new = {(at, fact) for at, facts in after.at.items() for fact in facts}
    return Change(
        time,
        after.now - before.now,
        before.now - after.now,
        frozenset(new - old),
        frozenset(old - new),
        consistent,
    )
