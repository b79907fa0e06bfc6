"""Questions about a program over a recording: the door to `larspark.explain`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.differences.changed_data import changed
from larspark.explain.differences.differences import AnswerDifference, Side, differences
from larspark.explain.evaluations.history import AnswerHistory, Refusal, Sourced
from larspark.explain.evaluations.relevance import Relevance
from larspark.explain.evaluations.world import AtomSource, EvaluationSetting, RunningAnswers, World
from larspark.explain.lives.life import life
from larspark.explain.lives.trials import Trials
from larspark.explain.misses.clashes import Clash, clash, without_constraints
from larspark.explain.misses.reasons import Reasons
from larspark.explain.misses.why_not import WhyNot, chosen_otherwise, find_candidates, why_not
from larspark.explain.phrasing import Phrasing
from larspark.explain.proofs.build import DEPTH, proofs, proofs_in
from larspark.explain.proofs.cone import Cone
from larspark.explain.proofs.proof import Elsewhere, Life, Proof, Question
from larspark.explain.questions import no_answer_stream, question_of, require_known
from larspark.language.calendar import TimeForm
from larspark.language.facts import Fact, Signature
from larspark.language.resolve import written_rules
from larspark.language.traversal import atoms, walk
from larspark.language.tree import Program, TupleWindow
from larspark.runtime.prepared import Prepared
from larspark.runtime.questions.choices import ChosenAnswers
from larspark.runtime.questions.histories import evaluated, evaluated_at, history, recording_of
from larspark.runtime.questions.other_rules import reach_of, restricted_to, with_program
from larspark.runtime.recording import Recording
from larspark.semantics.interpretations import Atoms
from larspark.semantics.structures import Environment

BEST_FIRST = ("interval", "clingo", "reference")
"""The reasoners that answer questions, by preference."""
MANY = {"why": 200, "why-not": 2000}
"""Arrivals of which not all are looked at, but those about the same keys; with fewer, the nearest others are told."""
PATIENCE = 50
"""Idle evaluations that are worth waiting for, where each takes its time."""

Prove: TypeAlias = Callable[[Trials, World, int, int | None], list[Proof]]
"""Makes proofs, with their lives or without."""


@dataclass(frozen=True)
class Case:
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
    ) -> Case:
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
        return Phrasing.of(prepared.analysis, prepared.calendar, form, prepared.background)

    def trials(self, question: Question) -> Trials:
        """What the atom can depend on: of much data, or where nothing else is told, only what has its keys."""
        if (choices := self.choices(question.time)) is not None:  # any of them may matter
            return Trials(self.setting, question, Relevance(self.prepared.program, None), choices)
        own = self.narrowed or Relevance.of(self.prepared.program, question.fact)
        much = self.setting.index.number(question.time) > MANY[question.ask]
        if not (self.narrowed or much or (question.ask == "why" and own.positive)):
            own = Relevance.of(self.prepared.program, question.fact, keyed=False)
        return Trials(self.setting, question, own)

    def require(self, time: int) -> None:
        """`Rejected` when the recording says nothing about an evaluation."""
        if not self.start <= time:
            at, start = map(self.words.time, (time, self.start))
            message = f"Time point {at} lies before the timeline, which starts at {start}."
            raise Rejected([Diagnostic("E411", message, "Ask about a later time, or let the timeline start earlier.")])

    # -- questions ---------------------------------------------------------------------------------

    def why(
        self, atom: str, time: int, *, count: int = 1, depth: int | None = DEPTH, lived: bool = True
    ) -> list[Proof]:
        """Why an atom holds at an evaluation, up to so many derivations; `Rejected` when it does not.

        Not `lived`: without since when and until when, which takes evaluations of its own.
        """
        question = self._question(atom, "why", time)
        trials = self.trials(question)
        world = self.world(trials)
        prove = self._lived if lived else self._proved
        if trials.choices is not None:
            return self._in_answer_streams(trials, world, count, depth, prove)
        found = prove(trials, world, count, depth)
        if not found:
            raise self._gone(question) or _not_held(question, self.words)
        return found

    def _in_answer_streams(
        self, trials: Trials, world: World, count: int, depth: int | None, prove: Prove
    ) -> list[Proof]:
        """In the chosen answer stream if it has the atom, otherwise in one that has; and what it lacks in another."""
        question, streams = trials.question, trials.choices.streams if trials.choices else ()
        target = (question.point, question.fact)
        given = world.source(target) not in (None, AtomSource.RULE)
        holding = [one for one in streams if given or target in one]
        lacking = next((one for one in streams if not given and target not in one), None)
        if not holding:
            raise _not_held(question, self.words)
        elsewhere = None
        own = holding[0] is world.derived
        shown = world if own else replace(world, derived=holding[0])
        if lacking is not None:
            unchosen = AnswerHistory(question.time, question.time, ())  # what was not chosen has no past of its own
            other = replace(world, derived=lacking, past=lambda: unchosen) if own else world
            misses = sorted(find_candidates(Reasons(other, other.past), question), key=lambda one: one.order)
            elsewhere = Elsewhere(len(streams), len(holding), [chosen_otherwise(one, shown) for one in misses])
        found = prove(trials, world, count, depth) if own else proofs(shown, question, count, depth)
        return [replace(one, elsewhere=elsewhere) for one in found]

    def _gone(self, question: Question) -> Rejected | None:
        """What a running engine says about the past that it has not kept."""
        if not self.live or question.point >= question.time:
            return None
        at = self.words.time(question.point)
        message = f"What held at {at} is not known any more: a running engine keeps what its windows still see."
        return Rejected([Diagnostic("E566", message, "Ask about a recording: `larspark why … --stream S --at T`.")])

    def _life(self, trials: Trials, world: World, proof: Proof) -> Life:
        return replace(life(trials, world, proof, self.patience), since_known=not self.live)

    def _lived(self, trials: Trials, world: World, count: int, depth: int | None) -> list[Proof]:
        """Proofs with their lives, which depend on what is below the depth that is shown."""
        cone = Cone(world, (trials.question.point, trials.question.fact), count)
        found = proofs_in(cone, trials.question, count, depth)
        whole = proofs_in(cone, trials.question, count, None) if any(one.cut for one in found) else found
        return [replace(one, life=self._life(trials, world, full)) for one, full in zip(found, whole, strict=True)]

    @staticmethod
    def _proved(trials: Trials, world: World, count: int, depth: int | None) -> list[Proof]:
        return proofs(world, trials.question, count, depth)

    def clash(self, time: int) -> Clash:
        """Why there is no answer stream at an evaluation; `Rejected` when there is one."""
        self.require(time)
        if self.evaluate(self.setting.until(time), time).consistent(time):
            message = f"There is an answer stream at {self.words.time(time)}."
            raise Rejected([Diagnostic("E563", message, "Ask about one of its atoms.")])
        return clash(self.setting, time)

    def why_not(self, atom: str, time: int, *, repaired: bool = True) -> WhyNot:
        """Why an atom does not hold at an evaluation; `Rejected` when it does.

        Not `repaired`: only what is missing, without when it last held, when it will, and repairs, which take
        evaluations of their own.
        """
        question = self._question(atom, "why-not", time)
        trials = self.trials(question)
        world = self.world(trials)
        if world.source((question.point, question.fact)) is not None:
            shown = self.words.atom(question.fact, question.at)
            message = f"{shown} does hold at {self.words.time(time)}."
            raise Rejected([Diagnostic("E563", message, f"`larspark why '{shown}' …` gives the proof.")])
        if (gone := self._gone(question)) is not None:
            raise gone
        others = trials.choices.streams if trials.choices else ()
        found = why_not(trials, world, others, self.patience, self._unconstrained, repaired=repaired)
        return replace(found, past_known=not self.live)

    def what_if(
        self, add: Iterable[str] = (), drop: Iterable[str] = (), explained: int | None = None
    ) -> list[AnswerDifference]:
        """How the answers differ when these arrivals are added, and those dropped; so many of them are explained."""
        arrivals = changed(self.arrivals, add, drop, self.words)
        new = set(arrivals).difference(self.arrivals)
        objections = [self._objection(one.fact) for one in new]
        if wrong := [one for one in objections if one is not None]:
            raise Rejected(wrong)
        end = max([self.end, *(one.time for one in arrivals)])
        for one in arrivals[:1]:
            self.require(one.time)
        other = replace(self, arrivals=arrivals, end=end)
        return differences(replace(self, end=end).side, other.side, self.prepared.analysis.shown, explained)

    def _objection(self, fact: Fact) -> Diagnostic | None:
        """To an arrival that is made up: what cannot arrive, and what makes no difference to any rule."""
        analysis = self.prepared.analysis
        counted = any(isinstance(part, TupleWindow) for part in walk(analysis.program))  # whatever it is
        if counted or fact.signature in analysis.extensional:
            return self.prepared.admission.objection(fact)
        names = ", ".join(sorted(map(str, analysis.extensional)))
        found = Diagnostic("E560", f"No rule looks at {fact.signature}.", f"The program reads {names or 'nothing'}.")
        return self.prepared.admission.objection(fact) or found

    @property
    def side(self) -> Side:
        """The whole recording evaluated."""
        return self.side_over(self.recorded())

    def recorded(self) -> Recording:
        """The whole recording in columns."""
        return recording_of(self.arrivals, (self.start, self.end))

    def side_over(self, recording: Recording) -> Side:
        """The whole recording, which is in columns already, evaluated."""
        return Side(self.setting, evaluated(self.prepared, recording, self.reasoner))

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
        shown: Collection[Signature] | Fact = question.fact
        if setting.records:
            shown = {question.fact.signature, *setting.records}
        if question.ask == "why-not":  # the conditions may have held earlier
            shown = self._asked_about(question)
            if (known := trials.relevance.patterns) is not None and not setting.records:
                shown = {one: known[one] for one in shown if one in known}

        def enough(found: AnswerHistory) -> bool:
            spans = found.spans(question.fact, question.at)
            if question.ask == "why":
                return all(first > found.start for first, last in spans if last >= time)
            return bool(spans)

        return setting.history(trials.relevance, time, enough, shown)

    def _asked_about(self, question: Question) -> Collection[Signature]:
        """The predicates whose past tells something about the atom: its own, and the conditions of its rules."""
        rules = self.setting.rules_for(question.fact.signature)
        read = (atom.signature for rule in rules for atom in atoms(rule))
        return {question.fact.signature, *self.setting.records, *read}

    def _question(self, atom: str, ask: str, time: int) -> Question:
        self.require(time)
        question = question_of(atom, ask, time, self.words)
        require_known(self.setting, question)
        return question

    # -- evaluation --------------------------------------------------------------------------------

    def evaluate(
        self,
        arrivals: Iterable[Sourced],
        end: int,
        program: Program | None = None,
        shown: Collection[Signature] | Fact | None = None,
        narrowed: Program | None = None,
    ) -> AnswerHistory:
        """What holds up to an evaluation, when only these atoms arrive (or for another program)."""
        prepared = self._narrowed(narrowed) if program is None else with_program(self.prepared, program)
        return history(prepared, list(arrivals), (self.start, end), self.reasoner, shown)

    def evaluate_at(self, arrivals: Sequence[Sourced], time: int, narrowed: Program) -> RunningAnswers:
        """One evaluation by the interval reasoner, which also knows what holds later if nothing arrives."""
        return evaluated_at(self._narrowed(narrowed), self.start, arrivals, time)

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
            running, recording_of(self.arrivals, (self.start, time)), self.prepared.analysis.intensional
        )

    def answer_streams(self, time: int) -> tuple[Atoms, ...]:
        """All answer streams at an evaluation, the chosen one first, where there are choices."""
        choices = self.choices(time)
        return choices.streams if choices else ()

    def _unconstrained(self, time: int) -> tuple[Atoms, ...]:
        """The answer streams at an evaluation of the program without its constraints; none where it has none."""
        if not self.prepared.analysis.constraints:
            return ()
        free = with_program(self.prepared, without_constraints(self.prepared.program))
        return replace(self, prepared=free, chosen=None).answer_streams(time)


def _not_held(question: Question, words: Phrasing) -> Rejected:
    atom = words.atom(question.fact, question.at)
    message = f"{atom} does not hold at {words.time(question.time)}."
    return Rejected([Diagnostic("E563", message, f"`larspark why-not '{atom}' …` says why.")])


def compare_programs(old: Case, new: Case, explained: int | None = None) -> list[AnswerDifference]:
    """How the answers of two programs differ on the same recording; so many differences are explained."""
    recording = old.recorded()
    same = (old.start, old.end) == (new.start, new.end) and old.arrivals == new.arrivals
    sides = old.side_over(recording), new.side_over(recording if same else new.recorded())
    return differences(*sides, old.prepared.analysis.shown | new.prepared.analysis.shown, explained)
