"""A program over a recording, and its evaluations: the one in question, those before, and those of other data."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Self

from larspark.explain.evaluations.history import AnswerHistory, Refusal, Shown, Sourced
from larspark.explain.evaluations.relevance import MANY, Relevance
from larspark.explain.evaluations.world import EvaluationSetting, RunningAnswers, World
from larspark.explain.lives.trials import Trials
from larspark.explain.misses.clashes import without_constraints
from larspark.explain.phrasing import Phrasing
from larspark.explain.proofs.proof import Question
from larspark.explain.questions import no_answer_stream
from larspark.language.calendar import TimeForm
from larspark.language.facts import Signature
from larspark.language.resolve import written_rules
from larspark.language.tree import And, Atom, Formula, Or, Program, Reset, Windowed
from larspark.questions.choices import ChosenAnswers
from larspark.questions.histories import evaluated_at, history, recording_of
from larspark.questions.other_rules import reach_of, restricted_to, with_program
from larspark.runtime.prepared import Prepared
from larspark.runtime.recording import Recording
from larspark.semantics.interpretations import Atoms
from larspark.semantics.structures import Environment

BEST_FIRST = ("interval", "clingo", "reference")
"""The reasoners that answer questions, by preference."""
PATIENCE = 50
"""Idle evaluations that are worth waiting for, where each takes its time."""


@dataclass(frozen=True)
class EvaluatedCase:
    """A program over a recording."""

    prepared: Prepared
    arrivals: tuple[Sourced, ...]
    start: int
    end: int
    reasoner: str
    refused: tuple[Refusal, ...] = ()
    live: bool = False
    """The arrivals are those that the last evaluation can depend on; older ones are not kept."""
    since: int | None = None
    """The first evaluation for which all arrivals are there, if that is not the beginning of the timeline."""
    outlook: RunningAnswers | None = None
    """What a running engine knows about the time to come."""
    chosen: ChosenAnswers | None = None
    """What a running engine has chosen, where there are choices."""
    form: TimeForm | None = None
    """How times are written; None: as the calendar tells."""
    narrowed: Relevance | None = None
    """The arrivals are only those that the atom in question can depend on."""

    @classmethod
    def of(
        cls,
        prepared: Prepared,
        arrivals: Sequence[Sourced],
        timeline: tuple[int, int] | None = None,
        reasoner: str | None = None,
        refused: Iterable[Refusal] = (),
        form: TimeForm | None = None,
    ) -> Self:
        """The timeline is that of the recording unless it is given."""
        prepared.require(reasoner)
        chosen = reasoner or next(one for one in BEST_FIRST if one in prepared.analysis.reasoners)
        recording = Recording.of_facts(((one.time, one.fact) for one in arrivals), timeline)
        return cls(prepared, tuple(arrivals), recording.start, recording.end, chosen, tuple(refused), form=form)

    @cached_property
    def setting(self) -> EvaluationSetting:
        prepared = self.prepared
        return EvaluationSetting(
            prepared.program,
            tuple(written_rules(prepared.written, prepared.constants)),
            self.evaluate,
            self.start,
            self.arrivals,
            prepared.background,
            Environment(functions=prepared.functions, calendar=prepared.calendar),
            self.refused,
            reach_of(prepared.analysis),
            self.reasoner == "interval",
            self.outlook,
            self.start if self.since is None else self.since,
            self.words,
            self.evaluate_at if self.reasoner == "interval" and not prepared.analysis.recorded else None,
        )

    @cached_property
    def words(self) -> Phrasing:
        prepared = self.prepared
        form = prepared.calendar.form if self.form is None else self.form
        return Phrasing.of(prepared.analysis, prepared.calendar, form, prepared.background, lambda: self._several)

    @cached_property
    def _several(self) -> bool:
        """Whether records, taken or refused, stand in more than one file or table."""
        told = chain((one.place for one in self.refused), (one.place for one in self.arrivals))
        places = (place for place in told if place is not None)
        first = next(places, None)
        return first is not None and any(one.file != first.file for one in places)

    def trials(self, question: Question, past: bool = True) -> Trials:
        """What the atom can depend on: of much data, or where nothing else is told, only what has its keys.

        With the `past`, it is evaluated together with the present, since it will be asked for.
        """
        if (choices := self.choices(question.time)) is not None:  # any of them may matter
            return Trials(self.setting, question, Relevance(self.prepared.program, None), choices)
        own = self.narrowed or Relevance.of(self.prepared.program, question.fact)
        much = self.setting.index.number(question.time) > MANY[question.ask]
        if not (self.narrowed or much or (question.ask == "why" and own.positive)):
            own = Relevance.of(self.prepared.program, question.fact, keyed=False)
        return Trials(self.setting, question, own, past=self._told(question, own) if past else None)

    @property
    def patience(self) -> int | None:
        """How many idle evaluations are looked ahead; the interval reasoner takes them all in one step."""
        return None if self.reasoner == "interval" else PATIENCE

    def world(self, trials: Trials) -> World:
        """The evaluation in the chosen answer stream, with as much of the past as the question is about."""
        setting, time, choices = self.setting, trials.question.time, trials.choices
        if choices is not None:
            if not choices.streams:
                raise no_answer_stream(self.words.time(time))
            recorded = choices.past(setting.records).recorded(time, setting.records) if setting.records else {}
            asked = self._asked_about(trials.question)
            return World(setting, time, lambda: choices.past(asked), trials.arrived, choices.streams[0], recorded)
        if setting.evaluate_at is None:
            past = trials.history(trials.relevant, time)  # what is recorded takes all evaluations anyway
            if not past.consistent(time):
                raise no_answer_stream(self.words.time(time))
            return World.of(setting, time, past, trials.arrived(0))
        if trials.derived is None:
            raise no_answer_stream(self.words.time(time))
        return World(setting, time, lambda: self._past(trials), trials.arrived, trials.derived)

    def _past(self, trials: Trials) -> AnswerHistory:
        """The evaluations before, as far as they are known and asked about."""
        setting, question = self.setting, trials.question
        time = question.time
        if self.live:
            return AnswerHistory(time, time, ())

        def enough(found: AnswerHistory) -> bool:
            spans = found.spans(question.fact, question.at)
            if question.ask == "why":
                return all(first > found.start for first, last in spans if last >= time)
            return bool(spans)

        known = trials.evaluated.followed if trials.past is not None and trials.evaluated else None
        return setting.history(trials.relevance, time, enough, self._told(question, trials.relevance), known)

    def _told(self, question: Question, relevance: Relevance) -> Shown:
        """Of which atoms the past is asked for."""
        records, patterns = self.setting.records, relevance.patterns
        if question.ask == "why":
            return {question.fact.signature, *records} if records else question.fact
        shown = self._asked_about(question)
        return shown if patterns is None or records else {one: patterns[one] for one in shown if one in patterns}

    def _asked_about(self, question: Question) -> Collection[Signature]:
        """The predicates whose past tells something about the atom: its own, and conditions about the present."""
        own = question.fact.signature
        return {own, *self.setting.records, *self._read_now(own)}

    def concluded_now(self, signature: Signature) -> bool:
        """Whether rules for a predicate look at conclusions of the same evaluation, of which the past tells."""
        return not self.setting.intensional.isdisjoint(self._read_now(signature))

    def _read_now(self, signature: Signature) -> Iterator[Signature]:
        rules = self.setting.rules_for(signature)
        return (atom.signature for rule in rules for literal in rule.body for atom in _unquantified(literal))

    # -- evaluation --------------------------------------------------------------------------------

    def evaluate(
        self,
        arrivals: Iterable[Sourced],
        end: int,
        program: Program | None = None,
        shown: Shown | None = None,
        narrowed: Program | None = None,
    ) -> AnswerHistory:
        """What holds up to an evaluation, when only these atoms arrive (or for another program)."""
        prepared = self._narrowed(narrowed) if program is None else with_program(self.prepared, program)
        return history(prepared, list(arrivals), (self.start, end), self.reasoner, shown)

    def evaluate_at(
        self, arrivals: Sequence[Sourced], time: int, narrowed: Program, shown: Shown | None = None
    ) -> RunningAnswers:
        """One evaluation by the interval reasoner, which also knows what holds later if nothing arrives."""
        return evaluated_at(self._narrowed(narrowed), self.start, arrivals, time, shown)

    def _narrowed(self, program: Program | None) -> Prepared:
        """The rules that matter alone; only the interval reasoner takes them as they are, without another analysis."""
        whole = program is None or self.reasoner != "interval" or self.prepared.analysis.lowered is not None
        return self.prepared if whole or program is None else restricted_to(self.prepared, program)

    def choices(self, time: int) -> ChosenAnswers | None:
        """What is chosen at an evaluation and at those before; None where there is nothing to choose."""
        if self.reasoner == "interval":
            return None
        if self.chosen is not None:
            return self.chosen
        running = self.prepared.reasoner(self.reasoner, self.start)
        return ChosenAnswers.of(
            running, recording_of(self.arrivals, (self.start, time)), self.prepared.analysis.derived
        )

    def answer_streams(self, time: int) -> tuple[Atoms, ...]:
        """All answer streams at an evaluation, the chosen one first, where there are choices."""
        choices = self.choices(time)
        return choices.streams if choices else ()

    def unconstrained(self, time: int) -> tuple[Atoms, ...]:
        """The answer streams at an evaluation of the program without its constraints; none where it has none."""
        if not self.prepared.analysis.constraints:
            return ()
        free = with_program(self.prepared, without_constraints(self.prepared.program))
        return replace(self, prepared=free, chosen=None).answer_streams(time)


def _unquantified(literal: Formula) -> Iterator[Atom]:
    """The atoms that must hold at the evaluation itself."""
    match literal:
        case Atom():
            yield literal
        case And(parts) | Or(parts):
            for part in parts:
                yield from _unquantified(part)
        case Reset(body) | Windowed(_, body):
            yield from _unquantified(body)
