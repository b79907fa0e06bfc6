"""Terms that depend on the evaluation time alone."""

from __future__ import annotations

from larspark.language.tree import Constant, Now, Operation, Term


def offset_from_now(term: Term) -> int | None:
    """How far after `now` the term lies; None when that is not known."""
    match term:
        case Now():
            return 0
        case Operation("+", moved, Constant(int(shift))) | Operation("+", Constant(int(shift)), moved):
            earlier = offset_from_now(moved)
            return None if earlier is None else earlier + shift
        case Operation("-", moved, Constant(int(shift))):
            earlier = offset_from_now(moved)
            return None if earlier is None else earlier - shift
    return None


def is_clock_term(term: Term) -> bool:
    """Does the term have a value at every evaluation, which depends on the evaluation time alone?"""
    match term:
        case Constant() | Now():
            return True
        case Operation("+" | "-" | "*", left, right):
            return all(is_clock_term(side) and not _is_symbol(side) for side in (left, right))
    return False


def _is_symbol(term: Term) -> bool:
    return isinstance(term, Constant) and isinstance(term.value, str)
