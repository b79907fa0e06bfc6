"""When a continuous query is evaluated: at every arrival, or at fixed intervals (thesis sec. 4.5).

Both are said in LARS by an atom that every answer depends on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from larspark.language.tree import (
    Atom,
    Comparison,
    Constant,
    Formula,
    Now,
    Operation,
    Rule,
    Some,
    TimeWindow,
    Variable,
    Windowed,
)
from larspark.translations.rdf.vocabulary import STREAM_PREDICATE


@dataclass(frozen=True)
class Push:
    """Evaluate whenever a triple arrives on a stream of the query."""


@dataclass(frozen=True)
class Pull:
    """Evaluate at the multiples of the interval."""

    interval: int


Execution: TypeAlias = Push | Pull


def pulse_rules(pulse: Atom, execution: Execution, streams: Iterable[str]) -> list[Rule]:
    """Rules for the atom that holds when the query is evaluated."""
    match execution:
        case Push():
            return [Rule(pulse, (_arrived(stream),)) for stream in dict.fromkeys(streams)]
        case Pull(interval):
            return [Rule(pulse, (Comparison("=", Operation("%", Now(), Constant(interval)), Constant(0)),))]


def _arrived(stream: str) -> Formula:
    triple = (Variable("_1"), Variable("_2"), Variable("_3"), Constant(stream))
    return Windowed(TimeWindow(0), Some(Atom(STREAM_PREDICATE, triple)))
