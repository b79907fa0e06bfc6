"""Foresight in Python: watch a goal while atoms arrive, or look at a recorded stream in one go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from larspark.analysis.pipeline import Analysis, analyse
from larspark.diagnostics import Rejected
from larspark.hypothetical import foresight as watching
from larspark.hypothetical.foresight import Outlook
from larspark.hypothetical.prospect import Prospect
from larspark.hypothetical.temporal_datalog import is_temporal_datalog
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact, parse_program
from larspark.language.resolve import resolve
from larspark.language.tree import Duration, Program
from larspark.language.values import Value
from larspark.runtime.admission import Admission
from larspark.runtime.formats import read_backgrounds
from larspark.runtime.recording import Recording


@dataclass(frozen=True)
class Subject:
    """A resolved program as foresight reads it, with its background; Temporal Datalog has rules of its own."""

    program: Program
    background: tuple[Fact, ...]
    analysis: Analysis | None
    """None for Temporal Datalog, whose safety and strata are other ones than those of LARS."""

    @classmethod
    def of(
        cls,
        program: Program,
        background: Iterable[Fact] = (),
        clock: Duration | None = None,
        constants: Mapping[str, Value] | None = None,
    ) -> Subject:
        given = tuple(background)
        known = {fact.signature for fact in given}
        if is_temporal_datalog(program, known):
            resolved, analysis = resolve(program, clock, constants), None
        else:
            analysis = analyse(program, clock=clock, constants=constants, background=known).require()
            resolved = analysis.program
        return cls(resolved, (*read_backgrounds(resolved), *given), analysis)

    def watch(self, goal: str, outlook: Outlook, start: int) -> watching.Foresight:
        return watching.Foresight(self.program, goal, outlook, background=self.background, start=start)


class Foresight:
    """What may become true: a goal of a program, watched over a stream.

    >>> foresight = Foresight("shutdown(X) :- always hot(X) [2].", "shutdown(X)", Outlook(horizon=1), start=5)
    >>> foresight.advance(5, ["hot(wt25)"])
    >>> [prospect.text for prospect in foresight.prospects()][1]
    'shutdown(wt25) at 6: seen hot(wt25) at 5; needs hot(wt25) at 6'
    """

    def __init__(
        self,
        program: Program | str,
        goal: str,
        outlook: Outlook | None = None,
        *,
        background: Iterable[Fact | str] = (),
        start: int = 0,
    ) -> None:
        parsed = parse_program(program) if isinstance(program, str) else program
        subject = Subject.of(parsed, map(_fact, background))
        self._admission = Admission(subject.analysis) if subject.analysis else None
        self._watched = subject.watch(goal, outlook or Outlook(), start)

    def advance(self, time: int, atoms: Sequence[Fact | str] = ()) -> None:
        """Let atoms arrive at a time point; atoms that cannot arrive raise `Rejected`."""
        facts = [_fact(atom) for atom in atoms]
        objections = [
            found for fact in facts if self._admission is not None and (found := self._admission.objection(fact))
        ]
        if objections:
            raise Rejected(objections)
        self._watched.advance(time, facts)

    def prospects(self) -> list[Prospect]:
        """The answers now, certain and hypothetical: those that miss least first, then the soonest."""
        return self._watched.prospects()


def foresee(
    program: Program | str,
    goal: str,
    stream: Iterable[tuple[int, Fact | str]],
    outlook: Outlook | None = None,
    *,
    background: Iterable[Fact | str] = (),
) -> dict[int, list[Prospect]]:
    """The answers at every time point of a recorded stream, from its first arrival to its last."""
    recording = Recording.on_timeline([(time, _fact(atom)) for time, atom in stream])
    foresight = Foresight(program, goal, outlook, background=background, start=recording.start)
    found: dict[int, list[Prospect]] = {}
    for time, facts in recording.time_points(recording.end):
        foresight.advance(time, facts)
        found[time] = foresight.prospects()
    return found


def _fact(atom: Fact | str) -> Fact:
    return parse_fact(atom) if isinstance(atom, str) else atom
