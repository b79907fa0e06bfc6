"""Bodies that mention the evaluation time: what must wait for it, and what can be found without."""

from __future__ import annotations

from collections.abc import Iterable

from larspark.reasoners.interval.network import Absence, Compare, Compute, CoreLiteral, Match, Operand, mentioned

NOW = "now"
"""The name under which rules know the evaluation time; no variable of the language starts in lower case."""


def waiting_for_now(columns: tuple[Operand, ...], body: tuple[CoreLiteral, ...]) -> tuple[CoreLiteral, ...]:
    """The parts of a body that need the evaluation time, themselves or through variables that need it."""
    matched = set[str]().union(*(mentioned(part) for part in body if isinstance(part, Match)))
    if NOW not in matched and all(isinstance(part, Match) or mentioned(part) <= matched for part in body):
        return ()
    dependent: set[str] = {NOW}
    waiting: set[CoreLiteral] = set()
    while True:
        before = len(dependent), len(waiting)
        waiting |= {part for part in body if dependent & mentioned(part)}
        waiting |= set(_apart([part for part in body if part not in waiting], _computed(waiting)))
        others = [part for part in body if part not in waiting]
        matched = set[str]().union(*(mentioned(part) for part in others if isinstance(part, Match)))
        # A variable that is computed from the time is looked up, not gone through, as long as nothing else binds it.
        dependent |= _computed(waiting) - matched
        known = _known(others)
        waiting |= {
            part
            for part in others
            if not isinstance(part, Match) and not mentioned(part) - _local(part, columns, body) <= known
        }
        if before == (len(dependent), len(waiting)):
            return tuple(part for part in body if part in waiting)


def _apart(others: list[CoreLiteral], computed: set[str]) -> list[Match]:
    """Matches that only what is computed from the time ties to the others: without it, all pairs would be formed."""
    apart: list[Match] = []
    for part in others:
        if isinstance(part, Match) and mentioned(part) & computed:
            rest = [other for other in others if other is not part and other not in apart]
            tied = set[str]().union(*map(mentioned, rest))
            if not mentioned(part) & tied and any(isinstance(other, Match) for other in rest):
                apart.append(part)
    return apart


def _computed(parts: Iterable[CoreLiteral]) -> set[str]:
    """The variables that get their values from these parts by computation."""
    found: set[str] = set()
    for part in parts:
        match part:
            case Compute(target):
                found.add(target)
            case Compare("="):
                found |= mentioned(part)
    return found


def _known(parts: list[CoreLiteral]) -> set[str]:
    """The variables that have values when these parts are solved."""
    known = set[str]().union(*(mentioned(part) for part in parts if isinstance(part, Match)))
    for _ in parts:
        for part in parts:
            match part:
                case Compute(target, _, args) if {arg for arg in args if isinstance(arg, str)} <= known:
                    known.add(target)
                case Compare("=", left, right) if left != right and len(mentioned(part) - known) <= 1:
                    known |= mentioned(part)
    return known


def _local(part: CoreLiteral, columns: tuple[Operand, ...], body: tuple[CoreLiteral, ...]) -> set[str]:
    """The variables that occur in an absence alone."""
    if not isinstance(part, Absence):
        return set()
    elsewhere = {column for column in columns if isinstance(column, str)}
    return mentioned(part) - elsewhere.union(*(mentioned(other) for other in body if other is not part))
