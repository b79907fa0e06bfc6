"""Running translated programs through the judge."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.printer import show
from larspark.language.resolve import resolve
from larspark.language.tree import Program
from larspark.semantics.answer_streams import answer_streams
from larspark.semantics.interpretations import Interpretation
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
    return resolve(parse_program(show(program)))
