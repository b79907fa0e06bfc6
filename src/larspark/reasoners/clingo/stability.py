"""Staying with the previous choice, as long as it is an answer stream.

clasp decides heuristic atoms first, and in the direction asked for. Asking it to repeat what held before (and to leave
out what did not), and this first of all for the shown predicates, makes the first answer set found a closest one: the
same choice if that still is an answer set, else one with the same shown atoms, else a subset-maximal part of them.

Everything is handed to clingo in an order that the input alone decides, so every process makes the same choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.dependencies import Sign
from larspark.language.facts import Fact, Signature
from larspark.reasoners.clingo.adapter import Avoided, fact_text, row_text
from larspark.reasoners.clingo.names import ClingoNames
from larspark.reasoners.clingo.windows import atom_text
from larspark.reasoners.protocol import AnswerStream

OPEN, SHOWN = 1, 2
"""Levels of decision: shown atoms come before all others."""

_AVOIDING, _KEEPING = 1, 2
"""Priorities of what is asked for an atom: keeping it comes before avoiding it."""


def steered_predicates(analysis: Analysis) -> dict[Signature, int]:
    """The predicates worth remembering, with their level; none when there is nothing to choose.

    These are the predicates decided together through negation or disjunction; all others follow from them.
    """
    levels: dict[Signature, int] = {}
    for component in analysis.components:
        inside = analysis.dependencies.inside(component.predicates)
        if any(edge.sign in (Sign.NEGATIVE, Sign.CHOICE) for edge in inside):
            levels.update(dict.fromkeys(sorted(component.predicates), OPEN))
    if levels and analysis.shown != analysis.intensional:
        levels.update(dict.fromkeys(sorted(analysis.shown & analysis.intensional), SHOWN))
    return levels


def steering_text(levels: Mapping[Signature, int], names: ClingoNames) -> Iterator[str]:
    """Heuristics that repeat the atoms that are marked to be kept."""
    for signature, level in levels.items():
        atom, kept = _patterns(signature, names)
        yield f"#heuristic {atom} : {kept}. [{level}@{_KEEPING},true]"


def avoided(levels: Mapping[Signature, int], names: ClingoNames) -> list[Avoided]:
    """What is not to be shown if it was not before; no answer set is part of another, so the rest follows."""
    return [
        Avoided(names.predicate(signature.predicate), signature.arity + 1, level, _AVOIDING)
        for signature, level in levels.items()
        if level == SHOWN
    ]


def keeping_text(levels: Mapping[Signature, int], names: ClingoNames) -> Iterator[str]:
    """Heuristics that keep the atoms whose arguments are rows of the table `kept_table`."""
    for signature, level in levels.items():
        variables = [f"X{place}" for place in range(signature.arity)]
        atom = atom_text(names.predicate(signature.predicate), [*variables, "now"])
        row = f"{row_text(variables)} = @{kept_table(signature, names)}"
        yield f"#heuristic {atom} : {row}. [{level}@{_KEEPING},true]"


def kept_table(signature: Signature, names: ClingoNames) -> str:
    return f"kept_{signature.arity}_{names.predicate(signature.predicate)}"


def kept_text(levels: Mapping[Signature, int], names: ClingoNames, atoms: Iterable[tuple[int, Fact]]) -> list[str]:
    """The marks as facts."""
    marks = {signature.predicate: f"_kept_{names.predicate(signature.predicate)}" for signature in levels}
    kept = (fact_text(marks[fact.predicate], (*fact.args, time)) for time, fact in atoms if fact.predicate in marks)
    return sorted(kept)


def _patterns(signature: Signature, names: ClingoNames) -> tuple[str, str]:
    name = names.predicate(signature.predicate)
    variables = [*(f"X{place}" for place in range(signature.arity)), "T"]
    return atom_text(name, variables), atom_text(f"_kept_{name}", variables)


def carried_over(stream: AnswerStream, now: int) -> Iterator[tuple[int, Fact]]:
    """An earlier answer stream as one would have it now: what held then holds now, what is pinned stays."""
    yield from ((now, fact) for fact in stream.now)
    yield from ((time, fact) for time, facts in stream.at.items() for fact in facts)
