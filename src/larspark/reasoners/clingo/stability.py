"""Staying with the previous choice, as long as it is an answer stream.

clasp decides heuristic atoms first, and in the direction asked for. Asking it to repeat what held before (and to leave
out what did not), and this first of all for the shown predicates, makes the first answer set found a closest one: the
same choice if that still is an answer set, else one with the same shown atoms, else a subset-maximal part of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from larspark.analysis.analysis import Analysis
from larspark.analysis.dependencies import Sign
from larspark.language.facts import Fact, Signature
from larspark.reasoners.clingo.adapter import fact_text
from larspark.reasoners.clingo.names import Names
from larspark.reasoners.clingo.windows import atom_text
from larspark.reasoners.protocol import AnswerStream

_OPEN, _SHOWN = 1, 2
"""Levels of decision: shown atoms come before all others."""


def steered_predicates(analysis: Analysis) -> dict[Signature, int]:
    """The predicates worth remembering, with their level; none when there is nothing to choose.

    These are the predicates decided together through negation or disjunction; all others follow from them.
    """
    levels: dict[Signature, int] = {}
    for component in analysis.components:
        inside = analysis.dependencies.inside(component.predicates)
        if any(edge.sign in (Sign.NEGATIVE, Sign.CHOICE) for edge in inside):
            levels.update(dict.fromkeys(component.predicates, _OPEN))
    if levels and analysis.shown != analysis.intensional:
        levels.update(dict.fromkeys(analysis.shown & analysis.intensional, _SHOWN))
    return levels


def default_text(levels: dict[Signature, int], names: Names) -> Iterator[str]:
    """Heuristics that avoid atoms."""
    for signature, level in levels.items():
        variables = [*(f"X{place}" for place in range(signature.arity)), "T"]
        atom = atom_text(names.predicate(signature.predicate), variables)
        yield f"#heuristic {atom} : {atom}. [{level}@1,false]"


def previous_text(levels: dict[Signature, int], names: Names, atoms: Iterable[tuple[int, Fact]]) -> Iterator[str]:
    """Heuristics that repeat the given atoms at the given times."""
    for time, fact in atoms:
        level = levels.get(fact.signature)
        if level is not None:
            atom = fact_text(names.predicate(fact.predicate), (*fact.args, time))
            yield f"#heuristic {atom} [{level}@2,true]"


def carried_over(stream: AnswerStream, now: int) -> Iterator[tuple[int, Fact]]:
    """An earlier answer stream as one would have it now: what held then holds now, what is pinned stays."""
    yield from ((now, fact) for fact in stream.now)
    yield from ((time, fact) for time, facts in stream.at.items() for fact in facts)
