"""Terms that depend on the evaluation time alone."""

from __future__ import annotations

from larspark.language.terms import Call, Constant, Now, Operation, Term


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
        case Constant():
            return True
        case Call("min" | "max", args):
            return all(map(is_clock_term, args))
    return _is_integer(term)


def _is_integer(term: Term) -> bool:
    """Sums of decimals may have too many digits, and symbols have no sum."""
    match term:
        case Now() | Constant(int()):
            return True
        case Operation("+" | "-" | "*", left, right):
            return _is_integer(left) and _is_integer(right)
        case Call("min" | "max" | "abs", args):
            return all(map(_is_integer, args))
    return False
