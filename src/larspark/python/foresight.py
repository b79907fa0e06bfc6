"""Foresight in Python: watch a goal while atoms arrive, or look at a recorded stream in one go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from larspark.diagnostics import Rejected
from larspark.hypothetical import foresight as watching
from larspark.hypothetical.answers.prospect import Prospect
from larspark.hypothetical.foresight import Outlook
from larspark.hypothetical.theory.temporal_datalog import is_temporal_datalog
from larspark.language.calendar import TimeForm
from larspark.language.facts import Fact
from larspark.language.tree import Program
from larspark.read.values.times import form_of
from larspark.runtime.atoms import AtomLike, arrivals_of, facts_of, time_of
from larspark.runtime.prepared import Prepared, ProgramLike, prepare
from larspark.runtime.recording import Recording
from larspark.write.times import TimeWriter


@dataclass(frozen=True)
class Subject:
    """A program as foresight reads it; Temporal Datalog has rules of its own about safety and strata."""

    program: Program
    background: tuple[Fact, ...]
    temporal: bool

    @classmethod
    def of(cls, prepared: Prepared) -> Subject:
        """`Rejected` when the program cannot be foreseen as what it is."""
        prepared.require_files()
        known = {fact.signature for fact in prepared.background}
        if prepared.analysis.resolved and is_temporal_datalog(prepared.resolved, known):
            return cls(prepared.resolved, prepared.background, temporal=True)
        return cls(prepared.require().program, prepared.background, temporal=False)

    def watch(self, goal: str, outlook: Outlook, start: int) -> watching.GoalWatch:
        return watching.GoalWatch(self.program, goal, outlook, background=self.background, start=start)


class Foresight:
    """What may become true: a goal of a program, watched over a stream.

    >>> foresight = Foresight("shutdown(X) :- always hot(X) [2].", "shutdown(X)", Outlook(horizon=1), start=5)
    >>> foresight.advance(5, ["hot(wt25)"])
    >>> [prospect.text for prospect in foresight.prospects()][1]
    'shutdown(wt25) at 6: seen hot(wt25) at 5; needs hot(wt25) at 6'
    """

    def __init__(
        self,
        program: ProgramLike,
        goal: str,
        outlook: Outlook | None = None,
        *,
        background: Iterable[AtomLike | Path] = (),
        start: int = 0,
    ) -> None:
        prepared = self._prepared = prepare(program, background=background)
        subject = Subject.of(prepared)
        self._admission = None if subject.temporal else prepared.logged().admission
        self._watched = subject.watch(goal, outlook or Outlook(), start)
        self._times = TimeWriter(prepared.calendar, prepared.calendar.form, prepared.time_places)

    def advance(self, time: int | datetime, atoms: Iterable[AtomLike] = ()) -> None:
        """Let atoms arrive at a time point; atoms that cannot arrive raise `Rejected`."""
        point, facts = time_of(time, self._prepared.calendar), self._prepared.fitted(facts_of(atoms))
        objections = [
            found for fact in facts if self._admission is not None and (found := self._admission.objection(fact))
        ]
        if objections:
            raise Rejected(objections)
        self._watched.advance(point, facts)
        self.written_as(form_of(time))

    def written_as(self, form: TimeForm) -> None:
        """Times came in this form, so they leave in it unless they came in a better one."""
        self._times = replace(self._times, form=max(self._times.form, form))

    def prospects(self) -> list[Prospect]:
        """The answers now, certain and hypothetical: those that miss least first, then the soonest.

        Their values have time points; where times came as timestamps, texts and JSON have timestamps.
        """
        return self._watched.prospects(self._times)


def foresee(
    program: ProgramLike,
    goal: str,
    stream: Iterable[tuple[int | datetime, AtomLike]],
    outlook: Outlook | None = None,
    *,
    background: Iterable[AtomLike | Path] = (),
) -> dict[int, list[Prospect]]:
    """The answers at every time point of a recorded stream, from its first arrival to its last."""
    prepared = prepare(program, background=background)
    arrivals = list(stream)
    recording = Recording.of_facts(arrivals_of(arrivals, prepared.calendar))
    foresight = Foresight(prepared, goal, outlook, start=recording.start)
    foresight.written_as(max((form_of(time) for time, _ in arrivals), default=TimeForm.POINTS))
    found: dict[int, list[Prospect]] = {}
    for time, facts in recording.time_points(recording.end):
        foresight.advance(time, facts)
        found[time] = foresight.prospects()
    return found
