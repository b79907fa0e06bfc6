"""One evaluation as explanations see it: the answer stream, and where each of its atoms comes from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Protocol

from larspark.explain.evaluations.arrivals import ArrivalIndex, in_order
from larspark.explain.evaluations.history import AnswerHistory, Evaluate, Refusal, Shown, Sourced
from larspark.explain.evaluations.joined import joined_arrivals
from larspark.explain.evaluations.matching import AtomIndex, matched
from larspark.explain.evaluations.relevance import Patterns, Relevance
from larspark.explain.evaluations.sliding import sliding_windows
from larspark.explain.phrasing import UNSAID, Phrasing
from larspark.language.facts import Fact, Signature, fact_order
from larspark.language.printing.printer import show
from larspark.language.resolve import Written
from larspark.language.traversal import atoms
from larspark.language.tree import Atom, Constant, Hold, Program, Record, Rule
from larspark.semantics.holding import held
from larspark.semantics.interpretations import Atoms, TimedFact, by_time
from larspark.semantics.streams import NOTHING, Arrival, Stream, merged
from larspark.semantics.structures import PLAIN, Environment, Place, Structure

LOOKED_BACK = 16
"""Evaluations beyond the reach of windows that are made to tell what was before; then four times as far, and so on."""


class RunningAnswers(Protocol):
    """What an engine knows after an evaluation, without another one."""

    @property
    def followed(self) -> AnswerHistory | None:
        """The evaluations up to this one, where they were asked for with it."""
        ...

    def present(self, patterns: Patterns | None) -> Atoms | None:
        """The conclusions that hold now and fit; None without an answer stream."""
        ...

    def coming(self, patterns: Patterns | None, end: int) -> AnswerHistory | None:
        """The conclusions that fit, from now to `end` at least, if nothing more arrives; None: that is not known."""
        ...


class ChoiceAnswers(RunningAnswers, Protocol):
    """The same where an answer stream is chosen among several, and kept as long as it can be."""

    @property
    def streams(self) -> tuple[Atoms, ...]:
        """All of them now, the chosen one first; none where there is no answer stream."""
        ...

    def past(self, shown: Collection[Signature]) -> AnswerHistory:
        """What was chosen of these predicates up to now, as far as that is known."""
        ...


class EvaluateAt(Protocol):
    """Evaluates once, at one time; what is `shown` is told for the evaluations before as well."""

    def __call__(
        self, arrivals: Sequence[Sourced], time: int, narrowed: Program, shown: Shown | None = None
    ) -> RunningAnswers: ...


@dataclass(frozen=True)
class EvaluationSetting:
    """A program and its data, and the way to evaluate it."""

    program: Program
    """Resolved."""
    written: Sequence[Written]
    """As the user wrote it, with durations; rule by rule the same."""
    evaluate: Evaluate
    start: int
    arrivals: tuple[Sourced, ...] = ()
    """The whole recording in the order of arrival."""
    background: tuple[Fact, ...] = ()
    environment: Environment = PLAIN
    refused: tuple[Refusal, ...] = ()
    reach: int | None = None
    """How many time points back an evaluation looks; None: to the beginning."""
    single: bool = False
    """There is at most one answer stream."""
    outlook: RunningAnswers | None = None
    """Where the question is about a running engine."""
    since: int = 0
    """The first evaluation for which all arrivals are there."""
    words: Phrasing = UNSAID
    """How things are said."""
    evaluate_at: EvaluateAt | None = None
    """The way to evaluate at one time alone, where there is one."""

    @cached_property
    def records(self) -> frozenset[Signature]:
        return frozenset(one.signature for one in self.program.directives if isinstance(one, Record))

    @cached_property
    def holds(self) -> tuple[Hold, ...]:
        return tuple(one for one in self.program.directives if isinstance(one, Hold))

    @cached_property
    def intensional(self) -> frozenset[Signature]:
        return frozenset(atom.signature for rule in self.program.rules for atom in atoms(rule.head))

    def rules_for(self, signature: Signature) -> Sequence[Rule]:
        """The rules whose heads may give atoms of this predicate."""
        return self._by_head.get(signature, ())

    @cached_property
    def _by_head(self) -> Mapping[Signature, Sequence[Rule]]:
        found: dict[Signature, list[Rule]] = {}
        for rule in self.program.rules:
            for signature in dict.fromkeys(atom.signature for atom in atoms(rule.head)):
                found.setdefault(signature, []).append(rule)
        return found

    def text_of(self, rule: Rule) -> str:
        """A rule as it was written."""
        return self._texts[id(rule)]

    def as_written(self, rule: Rule) -> Rule:
        """The same with its literals as they were written."""
        return self._written[id(rule)].spelled

    @cached_property
    def _texts(self) -> Mapping[int, str]:
        return {place: show(written.rule) for place, written in self._written.items()}

    @cached_property
    def _written(self) -> Mapping[int, Written]:
        return {id(rule): written for rule, written in zip(self.program.rules, self.written, strict=True)}

    @cached_property
    def sliding(self) -> Mapping[Signature, int]:
        """The shortest window of predicates that are read by `a [n]` alone: such a window sees no second arrival."""
        return sliding_windows(self.program) if self.reach is not None and not self.holds else {}

    @cached_property
    def index(self) -> ArrivalIndex:
        """The arrivals by time and by what they are about."""
        return ArrivalIndex(in_order(self.arrivals))

    def until(self, time: int) -> tuple[Sourced, ...]:
        """What has arrived by then."""
        return self.index.between(0, time)

    def relevant(self, relevance: Relevance, first: int, time: int) -> Sequence[Sourced]:
        """What has arrived by `time` and matters to evaluations from `first` on; where conclusions are recorded, and
        where choices are kept, to earlier ones as well."""
        return self.index.taken(relevance, self._looked_at(first), time)

    def joined(self, relevance: Relevance, first: int, time: int) -> Sequence[Sourced]:
        """Of what is relevant, as much as gives the same conclusions; with other data it may be too little."""
        since = self._looked_at(first)
        plain = self.single and not self.records and not self.holds
        found = joined_arrivals(relevance, self.index, since, (first, time), self._given) if plain else None
        return self.index.taken(relevance, since, time) if found is None else found

    def _looked_at(self, first: int) -> int:
        """The first time point that matters to evaluations from `first` on."""
        return 0 if self.reach is None or self.records or not self.single else first - self.reach

    @cached_property
    def _given(self) -> frozenset[Signature]:
        return frozenset(fact.signature for fact in self.background)

    def history(
        self,
        relevance: Relevance,
        time: int,
        enough: Callable[[AnswerHistory], bool],
        shown: Shown,
        known: AnswerHistory | None = None,
    ) -> AnswerHistory:
        """The evaluations up to `time`, as far back as is `enough`; those since `looked_back` may be known."""
        first = self.looked_back(time)
        while True:
            if known is None:
                joined = self.joined(relevance, first, time)
                known = self.evaluate(joined, time, shown=shown, narrowed=relevance.narrowed)
            found, known = known.since(first), None
            if first <= self._earliest or enough(found):
                return found
            first = max(self._earliest, time - 4 * (time - first))

    def looked_back(self, time: int) -> int:
        """The first of the evaluations that are made to tell what was before one."""
        if self.reach is None or self.records:
            return self.start
        return max(self._earliest, time - self.reach - LOOKED_BACK)

    @property
    def _earliest(self) -> int:
        return max(self.start, self.since)


class AtomSource(StrEnum):
    """Where an atom comes from."""

    INPUT = "input"
    HELD = "held"
    RECORDED = "recorded"
    BACKGROUND = "background"
    RULE = "rule"


@dataclass(frozen=True)
class World:
    """The evaluation at `time`."""

    setting: EvaluationSetting
    time: int
    past: Callable[[], AnswerHistory]
    """The evaluations before, and this one; asked for only where they matter, since they take more than this one."""
    arrivals: Callable[[int], tuple[Sourced, ...]]
    """What arrived from a time point on, up to `time`."""
    derived: Atoms
    """The answer stream that is explained."""
    recorded: Mapping[int, frozenset[Fact]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        setting: EvaluationSetting,
        time: int,
        history: AnswerHistory,
        arrived: Sequence[Sourced],
        chosen: Atoms | None = None,
    ) -> World:
        """The evaluation of a history, in its own answer stream or in another one."""
        recorded = history.recorded(time, setting.records) if setting.records else {}
        derived = history.atoms(time) if chosen is None else chosen

        def since(first: int) -> tuple[Sourced, ...]:
            return tuple(one for one in arrived if one.time >= first)

        return cls(setting, time, lambda: history, since, derived, recorded)

    @cached_property
    def history(self) -> AnswerHistory:
        """Reaches to `time` at least."""
        return self.past()

    @cached_property
    def place(self) -> Place:
        """Where the bodies of rules are evaluated."""
        setting = self.setting
        known = merged(merged(self.recorded, self.held), by_time(self.derived))
        stream = Stream.of(setting.start, None, ((one.time, one.fact) for one in self.reached), known)
        m = Structure.of(
            stream,
            setting.background,
            now=self.time,
            environment=setting.environment,
            mentioning=[setting.program],
        )
        return Place(m, stream, self.time)

    @cached_property
    def index(self) -> AtomIndex:
        """The atoms that bodies are evaluated over."""
        content = self.place.stream.content.values()
        return AtomIndex((*(fact for facts in content for fact in facts), *self.setting.background))

    @cached_property
    def held(self) -> Mapping[int, frozenset[Fact]]:
        """What holds on after its arrival."""
        if not self.setting.holds:
            return {}
        return held(self.setting.holds, (Arrival(one.time, one.fact) for one in self.reached), self.time)

    def arrivals_of(self, timed: TimedFact) -> tuple[Sourced, ...]:
        """The arrivals of an atom at a time point, if windows can reach it."""
        time, fact = timed
        first, last = (side(self._times, time) for side in (bisect_left, bisect_right))
        return tuple(one for one in self.reached[first:last] if one.fact == fact)

    @cached_property
    def _times(self) -> list[int]:
        return [one.time for one in self.reached]

    def arrived_at(self, timed: TimedFact) -> bool:
        """Whether an atom arrived at a time point that windows can reach."""
        return timed[1] in self.place.stream.arrived.get(timed[0], NOTHING)

    @cached_property
    def reached(self) -> tuple[Sourced, ...]:
        """The arrivals that windows can reach."""
        return self.arrived if self.setting.reach is None else self.arrivals(self.time - self.setting.reach)

    @cached_property
    def arrived(self) -> tuple[Sourced, ...]:
        """All arrivals, however long ago."""
        return self.arrivals(0)

    def first_arrival(self, timed: TimedFact) -> Sourced | None:
        """Of an atom at a time point, however long ago."""
        found = self.arrivals_of(timed)
        return found[0] if found else next(self.setting.index.of_fact(timed[1], timed[0], timed[0]), None)

    def source(self, timed: TimedFact) -> AtomSource | None:
        """Where an atom of the stream comes from, the simplest first; None when it does not hold."""
        time, fact = timed
        if self.arrived_at(timed):
            return AtomSource.INPUT
        if self.place.m.is_background(fact):
            return AtomSource.BACKGROUND
        if fact in self.held.get(time, NOTHING):
            return AtomSource.HELD
        if fact in self.recorded.get(time, NOTHING):
            return AtomSource.RECORDED
        return AtomSource.RULE if timed in self.derived else None

    def matching(self, wanted: Atom) -> list[TimedFact]:
        """The atoms that fit a pattern, also those that no window reaches, in the order of time."""
        return sorted(self.fitting(wanted), key=lambda timed: (timed[0], fact_order(timed[1])))

    def fitting(self, wanted: Atom) -> set[TimedFact]:
        """The same in any order."""
        own = self._not_arrived.get(wanted.signature, ())
        arrived = (one[:2] for one in self.arrivals_like(wanted, 0, self.time))
        return {timed for timed in (*arrived, *own) if matched(wanted, timed[1], {}) is not None}

    def arrivals_like(self, wanted: Atom, first: int, last: int) -> Iterator[Sourced]:
        """What arrived with the constants of a pattern, in a stretch of time."""
        known = tuple(arg.value if isinstance(arg, Constant) else None for arg in wanted.args)
        return self.setting.index.of(wanted.signature, known, first, last)

    @cached_property
    def _not_arrived(self) -> Mapping[tuple[str, int], Sequence[TimedFact]]:
        """By what is equal to their signatures."""
        data = (*self.recorded.items(), *self.held.items())
        known = ((time, fact) for time, facts in data for fact in facts)
        found: dict[tuple[str, int], list[TimedFact]] = {}
        for timed in (*known, *self.derived):
            found.setdefault((timed[1].predicate, len(timed[1].args)), []).append(timed)
        return found

    def rules_for(self, signature: Signature) -> Sequence[Rule]:
        return self.setting.rules_for(signature)


def occurrences(stream: Stream, signature: Signature) -> Iterator[TimedFact]:
    """The atoms of a predicate inside a stream, in the order of time, those of a time point in any order."""
    predicate, arity = signature
    for time in stream.occupied():
        for fact in stream.at(time):
            if fact.predicate == predicate and len(fact.args) == arity:
                yield time, fact
