"""Terms that lie at a fixed distance from the evaluation time."""

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
