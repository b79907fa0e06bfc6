"""`((some b) and (some c)) [10 #]` as `b [10 #], c [10 #]`: the way back to plain LARS, which every reasoner takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from larspark.language.tree import And, Formula, Program, Windowed


def split_windows(program: Program) -> Program:
    """Distribute windows over conjunctions; ⊞(α ∧ β) and ⊞α ∧ ⊞β hold in the same structures."""
    return replace(
        program,
        rules=tuple(replace(rule, body=tuple(p for part in rule.body for p in _split(part))) for rule in program.rules),
    )


def _split(literal: Formula) -> Iterator[Formula]:
    match literal:
        case And(parts):
            for part in parts:
                yield from _split(part)
        case Windowed(window, body):
            parts = tuple(_split(body))
            if parts == (body,):
                yield literal
            else:
                yield from (Windowed(window, part, origin=literal.origin) for part in parts)
        case _:
            yield literal
