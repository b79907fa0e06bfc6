"""`b [10 #], c [10 #]` as `((some b) and (some c)) [10 #]`: the window is selected once (thesis Example 38)."""

from __future__ import annotations

from dataclasses import replace

from larspark.language.traversal import variables
from larspark.language.tree import And, Formula, Program, Window, Windowed


def merge_windows(program: Program) -> Program:
    """Put literals under equal windows into one; ⊞(α ∧ β) and ⊞α ∧ ⊞β hold in the same structures."""
    return replace(program, rules=tuple(replace(rule, body=_merged(rule.body)) for rule in program.rules))


def _merged(body: tuple[Formula, ...]) -> tuple[Formula, ...]:
    groups: dict[Window, list[Windowed]] = {}
    for literal in body:
        if isinstance(literal, Windowed) and not any(variables(literal.window)):
            groups.setdefault(literal.window, []).append(literal)
    result: list[Formula] = []
    for literal in body:
        group = groups.get(literal.window, []) if isinstance(literal, Windowed) else []
        if len(group) < 2:
            result.append(literal)
        elif literal is group[0]:
            parts = tuple(part for one in group for part in _parts(one.body))
            result.append(replace(group[0], body=And(parts, origin=group[0].origin)))
    return tuple(result)


def _parts(formula: Formula) -> tuple[Formula, ...]:
    return formula.parts if isinstance(formula, And) else (formula,)
