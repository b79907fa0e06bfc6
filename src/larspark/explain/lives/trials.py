"""Does an atom hold after a change of the data? Only what it can depend on is evaluated.

Where that is little, the definitions answer sooner than an engine is built; otherwise the reasoner is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from larspark.diagnostics import Rejected
from larspark.explain.evaluations.history import AnswerHistory, Shown, Sourced, Span
from larspark.explain.evaluations.relevance import Patterns, Relevance
from larspark.explain.evaluations.small import SmallAnswers, small_answers
from larspark.explain.evaluations.world import ChoiceAnswers, EvaluationSetting, RunningAnswers
from larspark.explain.proofs.proof import Question
from larspark.language.facts import Fact
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.interpretations import Atoms
from larspark.semantics.streams import Stream

FEW, COMPARED = 300, 30
"""Atoms that are evaluated by the definitions, and where each of them may be compared with all others."""
STEPS = 12
"""Evaluations, one after the other, that are made by the definitions."""


@dataclass(frozen=True)
class Trials:
    """Evaluations for one question, of what had arrived by then and of changes to it."""

    setting: EvaluationSetting
    question: Question
    relevance: Relevance
    choices: ChoiceAnswers | None = None
    """The evaluation, where there are choices: all others follow from it."""
    past: Shown | None = None
    """What will be asked about the evaluations before, which are made together with the one in question."""

    @cached_property
    def background(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.setting.background if self.relevance.takes(fact))

    @cached_property
    def relevant(self) -> list[Sourced]:
        """What evaluations from that time on can depend on."""
        time = self.question.time
        return list(self.setting.relevant(self.relevance, time, time))

    @cached_property
    def joined(self) -> Sequence[Sourced]:
        """Of this, what gives the conclusions that hold at that time."""
        return self.setting.joined(self.relevance, self.question.time, self.question.time)

    def arrived(self, first: int) -> tuple[Sourced, ...]:
        """All that had arrived from a time point on, or of much data what is about the same keys.

        A proof without negations and aggregates rests on nothing but what its conclusions are made of.
        """
        index, time, reach = self.setting.index, self.question.time, self.setting.reach
        if self.question.ask == "why" and self.relevance.positive and reach is not None and first >= time - reach:
            return tuple(one for one in self.joined if one.time >= first)
        return tuple(index.taken(self.relevance, first, time)) if self.relevance.keyed else index.between(first, time)

    @cached_property
    def derived(self) -> Atoms | None:
        """The conclusions that the atom can depend on; None without an answer stream."""
        time = self.question.time
        if self.setting.outlook is None and self._is_simple and self._is_little(self.joined):
            try:
                return self._by_definition(self.joined, time)
            except Rejected:  # too much for the definitions
                pass
        if self.evaluated is not None:
            return self.evaluated.present(self.relevance.patterns)
        found = self.history(self.relevant, time)
        return found.atoms(time) if found.consistent(time) else None

    @cached_property
    def evaluated(self) -> RunningAnswers | None:
        """The one evaluation at that time, which knows the present and what follows; None: there is no such way."""
        if self.choices is not None:
            return self.choices
        setting, time, evaluate_at = self.setting, self.question.time, self.setting.evaluate_at
        if setting.outlook is not None or evaluate_at is None:
            return setting.outlook
        first = time if self.past is None else setting.looked_back(time)
        arrivals = self.joined if self.past is None else setting.joined(self.relevance, first, time)
        return self._small(arrivals, time) or evaluate_at(arrivals, time, self.relevance.narrowed, self.past)

    def _small(self, arrivals: Sequence[Sourced], time: int) -> SmallAnswers | None:
        """Of few arrivals under plain rules."""
        setting = self.setting
        plain = setting.single and not (setting.records or setting.holds or self.background)
        return small_answers(self.relevance.narrowed, arrivals, setting.start, time) if plain else None

    def idle(self, end: int) -> AnswerHistory:
        """When the atom holds if nothing more arrives, up to `end` at least."""
        known = None if self.evaluated is None else self.evaluated.coming(self._atom, end)
        return known or self.history(self.relevant, end, self.question.fact)

    def later(self, end: int) -> AnswerHistory:
        """The same for all conclusions that it can depend on."""
        known = None if self.evaluated is None else self.evaluated.coming(self.relevance.patterns, end)
        return known or self.history(self.relevant, end)

    @property
    def _atom(self) -> Patterns:
        return {self.question.fact.signature: frozenset([self.question.fact.args])}

    def holds(self, arrivals: Sequence[Sourced], first: int, last: int | None = None) -> bool:
        """Whether the atom holds at an evaluation, or at all from one to another, when this is what is relevant."""
        last = first if last is None else last
        if last - first < STEPS and self._is_little(arrivals):
            try:
                return all(self._holds_at(arrivals, time) for time in range(first, last + 1))
            except Rejected:
                pass
        if self.question.fact.signature not in self.setting.intensional:  # it holds where it arrives
            evaluated = self.history(arrivals, last)
            return all(self._arrives(arrivals, time) and evaluated.consistent(time) for time in range(first, last + 1))
        found = self._lasting(arrivals, first, last) or self.history(arrivals, last, self.question.fact)
        return any(low <= first and last <= high for low, high in self.spans(found))

    def spans(self, found: AnswerHistory, before: AnswerHistory | None = None) -> list[Span]:
        """The evaluations at which the atom holds; what was recorded `before` stays."""
        fact, at = self.question.fact, self.question.at
        if at is None or fact.signature not in self.setting.records:
            return found.spans(fact, at)
        return found.holding(fact, at, () if before is None else before.spans(fact, at))

    def _lasting(self, arrivals: Sequence[Sourced], time: int, end: int) -> AnswerHistory | None:
        """By an evaluation for this atom alone, which knows what follows as long as nothing arrives."""
        small = self._small(arrivals, time)
        if small is not None:
            return small.coming(self._atom, end)
        evaluate_at = self.setting.evaluate_at
        if evaluate_at is None or any(one.time > time for one in arrivals):
            return None
        return evaluate_at(arrivals, time, self.relevance.narrowed).coming(self._atom, end)

    def holds_with(self, time: int, fact: Fact, first: int, last: int | None = None) -> bool:
        """Whether it holds when this arrives as well."""
        return self.holds([*self.relevant, Sourced(time, fact)], first, last)

    def history(self, arrivals: Iterable[Sourced], end: int, shown: Shown | None = None) -> AnswerHistory:
        return self.setting.evaluate(arrivals, end, shown=shown, narrowed=self.relevance.narrowed)

    @property
    def _is_simple(self) -> bool:
        setting = self.setting
        return setting.single and not setting.records and not setting.holds and not self.relevance.recursive

    def _is_little(self, arrivals: Sequence[Sourced]) -> bool:
        few = COMPARED if self.relevance.compares else FEW
        return self._is_simple and len(arrivals) + len(self.background) <= few

    def _holds_at(self, arrivals: Sequence[Sourced], time: int) -> bool:
        point = time if self.question.at is None else self.question.at
        found = self._by_definition([one for one in arrivals if one.time <= time], time)
        return found is not None and ((point, self.question.fact) in found or self._arrives(arrivals, time))

    def _arrives(self, arrivals: Sequence[Sourced], time: int) -> bool:
        """Whether the atom has arrived by an evaluation, at the time point that the question is about."""
        point = time if self.question.at is None else self.question.at
        return point <= time and any(one[:2] == (point, self.question.fact) for one in arrivals)

    def _by_definition(self, arrivals: Iterable[Sourced], time: int) -> Atoms | None:
        setting = self.setting
        stream = Stream.of(setting.start, None, ((one.time, one.fact) for one in arrivals))
        found = answer_streams(
            self.relevance.program, stream, time, background=self.background, environment=setting.environment
        )
        if not found:
            return None
        return frozenset((point, fact) for point, facts in found[0].derived.items() for fact in facts)
