"""Running translated programs through the judge."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.printing.printer import show
from larspark.language.resolve import resolve
from larspark.language.tree import Program
from larspark.runtime.prepared import prepare
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.interpretations import Interpretation
from larspark.semantics.output import Evaluator
from larspark.semantics.streams import Stream


def judged(
    program: Program, arrivals: Iterable[tuple[int, Fact]], at: int, background: Iterable[Fact] = ()
) -> Interpretation:
    """The only answer stream of a translation; what is printed is what is run."""
    found = answer_streams(_printed(program), Stream.of(0, None, arrivals), at, background=background)
    assert len(found) == 1
    return found[0]


@lru_cache(maxsize=4)
def _printed(program: Program) -> Program:
    """Kept while a test asks for one time point after the other."""
    printed = parse_program(show(program))
    assert printed.rules == program.rules
    return resolve(printed)


def outputs(
    program: Program, arrivals: Iterable[tuple[int, Fact]], end: int, reasoner: str | None = None
) -> list[frozenset[Fact]]:
    """What holds at each time point from 0 to the end, by the judge or by a reasoner; what is printed runs."""
    arrived: dict[int, list[Fact]] = {}
    for time, fact in arrivals:
        arrived.setdefault(time, []).append(fact)
    if reasoner is None:
        evaluator = Evaluator(_printed(program))
        found = []
        for time in range(end + 1):
            evaluator.arrive(time, arrived.get(time, ()))
            output = evaluator.evaluate(time).output
            assert output is not None
            found.append(output)
        return found
    running = prepare(parse_program(show(program))).reasoner(reasoner)
    found = []
    for time in range(end + 1):
        running.advance(time, arrived.get(time, ()))
        (only,) = running.answer().answer_streams
        found.append(only.now)
    return found
