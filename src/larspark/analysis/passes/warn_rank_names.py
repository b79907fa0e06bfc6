"""Ranks whose tuple has the same variables outside and inside: each value of them is ranked by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from larspark.analysis.passes.check_safety import bound_variables
from larspark.diagnostics import Diagnostic, Severity
from larspark.language.printing.printer import show
from larspark.language.traversal import substitute, variables
from larspark.language.tree import Program, Ranked, Rule, Term, Variable


def warn_rank_names(program: Program) -> Iterator[Diagnostic]:
    """Warn about such variables unless something else of the body gives them values, as to the key of a group."""
    for rule in program.rules:
        for ranked in rule.body:
            if isinstance(ranked, Ranked) and (names := _shared(rule, ranked)):
                yield _warning(rule, ranked, names)


def _shared(rule: Rule, ranked: Ranked) -> list[str]:
    inside = _inside(ranked)
    given = set(bound_variables(literal for literal in rule.body if not isinstance(literal, Ranked)))
    for other in rule.body:
        if isinstance(other, Ranked) and other is not ranked:
            given |= _result(other).keys() - _inside(other)
    return [name for name in _result(ranked) if name in inside - given]


def _result(ranked: Ranked) -> dict[str, None]:
    """The variables of the tuple, in their order; that of the rank itself is none of them."""
    return dict.fromkeys(one.name for term in ranked.result[1:] for one in variables(term) if not one.anonymous)


def _inside(ranked: Ranked) -> set[str]:
    return {one.name for one in variables(ranked.element)}


def _warning(rule: Rule, ranked: Ranked, names: list[str]) -> Diagnostic:
    taken = {one.name for one in variables(rule)}
    others: dict[str, Term] = {
        name: Variable(next(new for number in count(1) if (new := f"{name}{number}") not in taken)) for name in names
    }
    *first, last = names
    these = f"{', '.join(first)} and {last} stand" if first else f"{last} stands"
    message = f"{these} in the result and inside #{ranked.function}, so that each value is ranked by itself."
    cure = show(replace(ranked, element=substitute(ranked.element, others)))
    hint = f"Use other names inside, `{cure}`."
    return Diagnostic("W212", message, hint, ranked.origin or rule.origin, Severity.WARNING)
