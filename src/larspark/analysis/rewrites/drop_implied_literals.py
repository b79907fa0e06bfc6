"""`a [3], a [5]` says no more than `a [3]`."""

from __future__ import annotations

from dataclasses import replace

from larspark.analysis.rewrites.implication import implies
from larspark.language.tree import Formula, Program


def drop_implied_literals(program: Program) -> Program:
    """Leave out what another literal of the body implies; the bodies stay true in the same structures."""
    return replace(program, rules=tuple(replace(rule, body=_needed(rule.body)) for rule in program.rules))


def _needed(body: tuple[Formula, ...]) -> tuple[Formula, ...]:
    kept = list(body)
    for literal in reversed(body):  # of two that imply each other the first stays
        at = len(kept) - 1 - kept[::-1].index(literal)
        others = kept[:at] + kept[at + 1 :]
        if any(implies(other, literal) for other in others):
            kept = others
    return tuple(kept)
