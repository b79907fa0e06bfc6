"""The Python interface: parse a program, check it, run it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from larspark.analysis.pipeline import Analysis, analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact, parse_program
from larspark.language.tree import Program
from larspark.reasoners.protocol import Answer, Change
from larspark.reasoners.registry import DEFAULT, make_reasoner
from larspark.runtime.admission import Admission

parse = parse_program


def check(program: Program | str) -> Analysis:
    """Everything that can be said about a program without data; never raises for a program that parses."""
    return analyse(parse(program) if isinstance(program, str) else program)


class Engine:
    """A running program.

    >>> engine = Engine("alarm(M) :- always hot(M) [2].")
    >>> engine.advance(0, ["hot(m1)"]).appeared
    frozenset({Fact(predicate='alarm', args=('m1',))})
    """

    def __init__(
        self,
        program: Program | Analysis | str,
        reasoner: str = DEFAULT,
        *,
        background: Iterable[Fact | str] = (),
        start: int = 0,
    ) -> None:
        self.analysis = program if isinstance(program, Analysis) else check(program)
        self._admission = Admission(self.analysis)
        self._reasoner = make_reasoner(reasoner, self.analysis, [_fact(atom) for atom in background], start)

    def advance(self, time: int, atoms: Sequence[Fact | str] = ()) -> Change:
        """Let atoms arrive at a time point and evaluate; atoms the program cannot take raise `Rejected`."""
        facts = [_fact(atom) for atom in atoms]
        objections = [objection for fact in facts if (objection := self._admission.objection(fact))]
        if objections:
            raise Rejected(objections)
        return self._reasoner.advance(time, facts)

    def answer(self, models: int | None = 1) -> Answer:
        """The answer at the current time; up to `models` answer streams, None for all."""
        return self._reasoner.answer(models)


def _fact(atom: Fact | str) -> Fact:
    return parse_fact(atom) if isinstance(atom, str) else atom
