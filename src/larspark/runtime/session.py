"""The Python interface: parse a program, check it, run it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from larspark.analysis.pipeline import Analysis
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.parser import parse_program
from larspark.language.tree import Duration
from larspark.language.values import Value
from larspark.reasoners.protocol import Answer, Change
from larspark.reasoners.registry import DEFAULT
from larspark.runtime.atoms import AtomLike, fact_of
from larspark.runtime.prepared import ProgramLike, prepare

parse = parse_program


def check(
    program: ProgramLike,
    *,
    clock: Duration | str | None = None,
    constants: Mapping[str, Value] | None = None,
    background: Iterable[AtomLike | Path] = (),
    allow_functions: bool = False,
) -> Analysis:
    """Everything that can be said about a program without a stream; never raises for a program that parses."""
    return prepare(
        program, clock=clock, constants=constants, background=background, allow_functions=allow_functions
    ).findings


class Engine:
    """A running program.

    >>> engine = Engine("alarm(M) :- always hot(M) [2].")
    >>> engine.advance(0, ["hot(m1)"]).appeared
    frozenset({Fact(predicate='alarm', args=('m1',))})

    The program is a text, the name of a program file, or a tree; `clock`, `epoch` and `constants` stand over what it
    says, `background` are facts that always hold besides those of its `#background` files. Its warnings are in
    `warnings`, and are told to the logger `larspark`.
    """

    def __init__(
        self,
        program: ProgramLike,
        reasoner: str = DEFAULT,
        *,
        background: Iterable[AtomLike | Path] = (),
        start: int = 0,
        clock: Duration | str | None = None,
        epoch: datetime | None = None,
        constants: Mapping[str, Value] | None = None,
        allow_functions: bool = False,
    ) -> None:
        self.prepared = (
            prepare(
                program,
                clock=clock,
                epoch=epoch,
                constants=constants,
                background=background,
                allow_functions=allow_functions,
            )
            .require()
            .logged()
        )
        self._reasoner = self.prepared.reasoner(reasoner, start)

    @property
    def analysis(self) -> Analysis:
        return self.prepared.analysis

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What the analysis found odd about the program."""
        return self.prepared.warnings

    def advance(self, time: int, atoms: Sequence[AtomLike] = ()) -> Change:
        """Let atoms arrive at a time point and evaluate; atoms the program cannot take raise `Rejected`."""
        facts = [fact_of(atom) for atom in atoms]
        objections = [found for fact in facts if (found := self.prepared.admission.objection(fact))]
        if objections:
            raise Rejected(objections)
        return self._reasoner.advance(time, facts)

    def answer(self, models: int | None = 1) -> Answer:
        """The answer at the current time; up to `models` answer streams, None for all."""
        return self._reasoner.answer(models)
