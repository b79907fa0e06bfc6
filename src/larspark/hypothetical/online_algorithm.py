"""The online algorithm: schematic supported answers, updated time point by time point (AAAI 2020, Sect. 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from larspark.diagnostics import Rejected
from larspark.hypothetical.answers.answers import (
    Schema,
    SchemaSource,
    Signed,
    SupportedAnswer,
    bounds_follow,
    embeds,
    minimal_answers,
    minimal_answers_by_time,
)
from larspark.hypothetical.answers.instances import bind, rename_apart
from larspark.hypothetical.negation.ledger import Ledger
from larspark.hypothetical.negation.negation import NegationJudge
from larspark.hypothetical.offline.preconditions import Precondition, may_embed
from larspark.hypothetical.offline.resolution import Resolution, general_goal
from larspark.hypothetical.offline.retention import retention
from larspark.hypothetical.online.late import with_late
from larspark.hypothetical.online.matcher import Matcher
from larspark.hypothetical.online.query import Query, WatchOptions
from larspark.hypothetical.online.relations import PatternRows, PremisePattern, Row, Sorter
from larspark.hypothetical.online.stages import ProgressStage
from larspark.hypothetical.theory import findings
from larspark.hypothetical.theory.conditions import settle
from larspark.hypothetical.theory.matching import match_literal
from larspark.hypothetical.theory.stratification import NotStratified, stratify
from larspark.hypothetical.theory.terms import ABSOLUTE, NOW, Key, Literal, Substitution, Time, apply
from larspark.hypothetical.theory.theory import Theory
from larspark.language.facts import Fact


class Online:
    """Watches one goal over a theory."""

    def __init__(self, theory: Theory, goal: Literal, options: WatchOptions | None = None) -> None:
        options = options or WatchOptions()
        if goal.key not in theory.intensional:
            raise Rejected([findings.unknown_goal(str(goal), sorted({k.predicate for k in theory.intensional}))])
        if not theory.evaluated:
            strata = stratify(theory)
            if isinstance(strata, NotStratified):
                raise Rejected([strata.diagnostic])
        self.theory = theory
        self.goal = goal
        self.options = options
        self.time = theory.start - 1
        self.moment = 0
        """Counts the states of knowledge; with late facts there may be several at one time."""
        self._sorter = Sorter()
        self._rigid: dict[PremisePattern, PatternRows] = {}
        resolution = Resolution(theory, options.bound)
        preconditions = resolution.preconditions(goal)
        below = self._negated_goals(resolution, preconditions)
        self.retention = retention(preconditions, {key: found for key, (_, found) in below.items()}, options.keep)
        self.query = self._query(goal, preconditions, self.retention.goal)
        self.negated: dict[Key, Query] = {
            key: self._query(asked, found, self.retention.rows[key]) for key, (asked, found) in below.items()
        }
        self._derived = theory.intensional - theory.inputs
        self.arrived: dict[int, set[Fact]] = {}
        """Facts of time points that late facts may still join."""
        self._unmet: dict[Matcher, Sequence[Schema]] = {}
        self._unmet_apart: dict[Matcher, Sequence[Schema]] = {}
        self._rival_cache: dict[SchemaSource, Sequence[Matcher]] = {}
        self.negation = NegationJudge(self)
        self._ledger = Ledger(self, self.negation) if self.negated and not theory.evaluated else None

    # -- pre-processing --------------------------------------------------------------------------------

    def _query(self, goal: Literal, preconditions: Sequence[Precondition], keep: Sequence[int | None]) -> Query:
        sorter = Sorter()
        for precondition in preconditions:
            for literal in precondition.rigid:
                sorter.register(PremisePattern.of(literal))
        self._rigid.update(sorter.sort(self.theory.rigid))
        matchers = tuple(Matcher(found, self._rigid, kept) for found, kept in zip(preconditions, keep, strict=True))
        for matcher in matchers:
            for pattern in matcher.stages.patterns:
                self._sorter.register(pattern)
        return Query(goal, tuple(preconditions), matchers)

    def _negated_goals(
        self, resolution: Resolution, preconditions: Sequence[Precondition]
    ) -> dict[Key, tuple[Literal, Sequence[Precondition]]]:
        """A fresh goal for every negated predicate, and for those that these negate in turn."""
        found: dict[Key, tuple[Literal, Sequence[Precondition]]] = {}
        pending = [literal.key for p in preconditions for literal in p.negated]
        while pending:
            key = pending.pop()
            if key in found or (not key.temporal and key not in self.theory.intensional):
                continue
            goal = general_goal(key)
            if self.theory.evaluated:
                goal = goal._replace(time=Time(NOW))
            if key in self.theory.intensional:
                found[key] = goal, resolution.preconditions(goal)
            else:
                found[key] = goal, (Precondition(goal, (goal,)),)
            pending += [literal.key for p in found[key][1] for literal in p.negated]
        return found

    # -- the stream --------------------------------------------------------------------------------------

    @property
    def closed(self) -> int:
        """Up to this time nothing more can arrive."""
        return self.time - self.options.delay

    def advance(self, time: int, facts: Iterable[Fact] = ()) -> None:
        """Move to `time`; the facts are those of this time point."""
        self.advance_late(time, ((time, fact) for fact in facts))

    def advance_late(self, time: int, facts: Iterable[tuple[int, Fact]]) -> None:
        """Move to `time`; facts carry their own time, which may lie back by the allowed delay."""
        if time < self.time:
            raise Rejected([findings.time_goes_back(time, self.time)])
        if self.options.delay == 0:
            stamped = [fact for about, fact in facts if self._timely(about, fact, time)]
            self._close_until(time - 1)
            self._step(time, stamped)
        else:
            for about, fact in facts:
                if self._timely(about, fact, time):
                    self.arrived.setdefault(about, set()).add(fact)
            self._close_until(time - self.options.delay)
        if self.time != time or self.options.delay:
            self._reach(time)

    def __len__(self) -> int:
        """The number of rows kept."""
        return sum(map(len, self._matchers()))

    def _timely(self, about: int, fact: Fact, time: int) -> bool:
        if (fact.predicate, len(fact.args), True) in self._derived:
            raise Rejected([findings.not_a_fact_of_stream(str(fact))])
        if about > time:
            raise Rejected([findings.fact_in_future(str(fact), about, time)])
        if about <= self.closed or about < time - self.options.delay + (1 if self.options.delay else 0):
            raise Rejected([findings.fact_too_late(str(fact), about, max(self.closed, time - self.options.delay))])
        return True

    def _close_until(self, last: int) -> None:
        """Pass over time points up to `last`, stopping only where something is due or has arrived late."""
        while True:
            events = [t for t in self.arrived if t <= last]
            events += [due for m in self._matchers() if (due := m.next_due()) is not None and due <= last]
            if not events:
                return
            time = min(events)
            self._step(time, self.arrived.pop(time, ()))

    def _step(self, time: int, facts: Iterable[Fact]) -> None:
        relations = self._sorter.sort(facts)
        for matcher in self._matchers():
            matcher.advance(time, relations)
        self._reach(time + self.options.delay)

    def _reach(self, time: int) -> None:
        """What has been judged is brought up to date."""
        self.time = time
        self.moment += 1
        self.negation.forget()
        if self._ledger is not None:
            self._ledger.catch_up()

    def _matchers(self) -> Iterator[Matcher]:
        yield from self.query.matchers
        for query in self.negated.values():
            yield from query.matchers

    # -- answers -------------------------------------------------------------------------------------------

    def answers(self) -> list[SupportedAnswer]:
        """S_τ, without dominated answers."""
        if self._ledger is not None:
            return self._ledger.answers()
        return minimal_answers(answer for answer in self.negation.judged(self.query) if not self.holds_anyway(answer))

    def holds_anyway(self, answer: SupportedAnswer) -> bool:
        """Whether the hypotheses alone suffice: then the evidence, not being minimal, supports nothing (Def. 2)."""
        if not answer.hypotheses or answer.schema is None:
            return False
        for matcher in self._rivals(answer.schema):
            for schema in self.unmet_apart(matcher):
                apart = self._at_evaluation(schema, answer)
                bound: Substitution = {}
                if apart is None:
                    continue
                if not match_literal(apart.answer, answer.answer, bound):
                    continue
                for mapped in embeds(map(Signed, apart.awaited), answer.hypotheses, bound):
                    instance = bind(apart, mapped, self.closed)
                    if instance is None or not bounds_follow(apart, answer, mapped):
                        continue
                    if not set(instance.conditions) <= set(answer.conditions):
                        continue
                    if all(
                        Signed(literal, True) in answer.hypotheses or self.negation.goes_without_saying(literal)
                        for literal in instance.negated
                    ):
                        return True
        return False

    def _at_evaluation(self, schema: Schema, answer: SupportedAnswer) -> Schema | None:
        """In LARS, the schema at the evaluation time of the answer."""
        if not self.theory.evaluated:
            return schema
        return bind(schema, {NOW: Time(ABSOLUTE, answer.times[NOW])}, self.closed)

    def _rivals(self, schema: Schema) -> Sequence[Matcher]:
        """Preconditions that might be contained in what the schema still awaits; decided once per kind of schema."""
        source = schema.source
        if source not in self._rival_cache:
            self._rival_cache[source] = [
                matcher
                for matcher in self.query.matchers
                if matcher.precondition.premises and may_embed(matcher.precondition, source.answer, source.unmet)
            ]
        return self._rival_cache[source]

    def answers_until(self, last: int) -> list[SupportedAnswer]:
        """For LARS: what holds or may hold at the evaluations from now up to `last`."""
        found: list[SupportedAnswer] = []
        schemata = list(self.schemata(self.query))
        for schema in schemata:
            low = schema.differences.low(NOW, schema.times)
            high = schema.differences.high(NOW, schema.times)
            first = self.time if low is None else max(self.time, low)
            if NOW in schema.times:
                first, high = max(first, schema.times[NOW]), schema.times[NOW]
            for time in range(first, (last if high is None else min(last, high)) + 1):
                instance = bind(schema, {NOW: Time(ABSOLUTE, time)}, self.closed)
                if instance is not None:
                    found += (a for a in self.negation.judge(instance) if not self.holds_anyway(a))
        return minimal_answers_by_time(found)

    def schemata(self, query: Query) -> Iterator[Schema]:
        """The schemata with at least one premise met or complete, late facts included."""
        for matcher in query.matchers:
            yield from self.schemata_of(matcher)

    def schemata_of(self, matcher: Matcher) -> Iterator[Schema]:
        """Those of one precondition."""
        for stage, row in matcher.rows():
            yield from with_late(self.schema(matcher, stage, row), self.arrived, self.closed)
        if self.arrived:
            for schema in self.unmet(matcher):
                yield from with_late(schema, self.arrived, self.closed, needed=True)

    def unmet(self, matcher: Matcher) -> Sequence[Schema]:
        """A precondition none of whose premises has been met, once per way to meet its rigid ones."""
        if matcher not in self._unmet:
            stage, rows = matcher.starting
            self._unmet[matcher] = [self.schema(matcher, stage, row) for row in rows]
        return self._unmet[matcher]

    def unmet_apart(self, matcher: Matcher) -> Sequence[Schema]:
        """The same with variables of their own."""
        if matcher not in self._unmet_apart:
            self._unmet_apart[matcher] = [rename_apart(schema) for schema in self.unmet(matcher)]
        return self._unmet_apart[matcher]

    def schema(self, matcher: Matcher, stage: ProgressStage, row: Row) -> Schema:
        """What a row says."""
        precondition = matcher.precondition
        bound: Substitution = dict(zip(stage.layout, row, strict=True))
        settled = settle(stage.open, bound)
        return Schema(
            apply(precondition.answer, bound),
            frozenset(apply(literal, bound) for literal in matcher.stages.met(stage.progress)),
            frozenset(apply(literal, bound) for literal in matcher.stages.unmet(stage.progress)),
            frozenset(apply(literal, bound) for literal in precondition.negated),
            settled.open if settled is not None else (),
            precondition.differences,
            matcher.known_times(stage, row),
            source=SchemaSource(precondition.answer, tuple(matcher.stages.unmet(stage.progress)), precondition.negated),
        )
