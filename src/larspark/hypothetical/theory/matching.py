"""One-way matching: bind the variables of a pattern so that it becomes, or is contained in, something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from larspark.hypothetical.theory.terms import ABSOLUTE, NOW, Literal, Substitution, Term, Time, Var

Wanted = tuple[Literal, Sequence[Literal]]
"""A pattern and the literals it may be matched with."""


def match_term(pattern: Term, term: Term, bound: Substitution) -> bool:
    """Bind only the pattern's variables so that it becomes the term."""
    match pattern:
        case Var(name):
            return bound.setdefault(name, term) == term
        case Time(base, offset) if base not in (ABSOLUTE, NOW):
            if isinstance(term, Time):
                wanted = term.shifted(-offset)
            elif isinstance(term, int):
                wanted = Time(ABSOLUTE, term - offset)
            else:
                return False
            return bound.setdefault(base, wanted) == wanted
        case _:
            return pattern == term


def match_literal(pattern: Literal, literal: Literal, bound: Substitution) -> bool:
    if not pattern.resembles(literal):
        return False
    if not all(match_term(a, b, bound) for a, b in zip(pattern.args, literal.args, strict=True)):
        return False
    if pattern.time is None or literal.time is None:
        return True
    return match_term(pattern.time, literal.time, bound)


def all_matches(
    wanted: Sequence[Wanted], bound: Substitution, admits: Callable[[Substitution], bool] = lambda _: True
) -> Iterator[Substitution]:
    """The ways to match every pattern with one of its candidates; the pattern with the fewest choices goes first.

    What is not admitted is not extended.
    """
    if not wanted:
        yield bound
        return
    choices = [
        [extended for c in candidates if (extended := _extended(p, c, bound)) is not None and admits(extended)]
        for p, candidates in wanted
    ]
    place = min(range(len(wanted)), key=lambda i: len(choices[i]))
    rest = [*wanted[:place], *wanted[place + 1 :]]
    for extended in choices[place]:
        yield from all_matches(rest, extended, admits)


def _extended(pattern: Literal, candidate: Literal, bound: Substitution) -> Substitution | None:
    extended = dict(bound)
    return extended if match_literal(pattern, candidate, extended) else None
