"""Questions about a program over a recording: the door to `larspark.explain`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.differences.changed_data import changed
from larspark.explain.differences.differences import AnswerDifference, Side, differences
from larspark.explain.evaluations.history import AnswerHistory
from larspark.explain.evaluations.world import AtomSource, World
from larspark.explain.lives.life import life
from larspark.explain.lives.trials import Trials
from larspark.explain.misses.clashes import Clash, clash
from larspark.explain.misses.reasons import Reasons
from larspark.explain.misses.why_not import WhyNot, chosen_otherwise, find_candidates, why_not
from larspark.explain.phrasing import Phrasing
from larspark.explain.proofs.build import DEPTH, proofs, proofs_in
from larspark.explain.proofs.cone import Cone
from larspark.explain.proofs.proof import Elsewhere, Life, Proof, Question
from larspark.explain.questions import question_of, require_known
from larspark.language.facts import Fact
from larspark.language.traversal import walk
from larspark.language.tree import TupleWindow
from larspark.questions.evaluated_case import EvaluatedCase
from larspark.questions.histories import evaluated, recording_of
from larspark.runtime.recording import Recording

Prove: TypeAlias = Callable[[Trials, World, int, int | None], list[Proof]]
"""Makes proofs, with their lives or without."""


@dataclass(frozen=True)
class Case(EvaluatedCase):
    """Questions about it."""

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
        trials = self.trials(question, past=lived)
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
        trials = self.trials(question, past=repaired or self.concluded_now(question.fact.signature))
        world = self.world(trials)
        if world.source((question.point, question.fact)) is not None:
            shown = self.words.atom(question.fact, question.at)
            message = f"{shown} does hold at {self.words.time(time)}."
            raise Rejected([Diagnostic("E563", message, f"`larspark why '{shown}' …` gives the proof.")])
        if (gone := self._gone(question)) is not None:
            raise gone
        others = trials.choices.streams if trials.choices else ()
        found = why_not(trials, world, others, self.patience, self.unconstrained, repaired=repaired)
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

    def _question(self, atom: str, ask: str, time: int) -> Question:
        self.require(time)
        question = question_of(atom, ask, time, self.words)
        require_known(self.setting, question)
        return question


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
