"""Comparisons of a term with a constant, and which of them follows from which other one."""

from __future__ import annotations

from typing import NamedTuple

from larspark.analysis.passes.warn_dead_rules import MIRRORED
from larspark.language.tree import Comparison, Constant, Formula, Term
from larspark.language.values import Value, compare


class ValueBound(NamedTuple):
    """`term operator value`."""

    term: Term
    operator: str
    value: Value


def bound(literal: Formula) -> ValueBound | None:
    """The comparison with the constant on the right; None for other literals."""
    match literal:
        case Comparison(operator, term, Constant(value)) if not isinstance(term, Constant):
            return ValueBound(term, operator, value)
        case Comparison(operator, Constant(value), term) if not isinstance(term, Constant):
            return ValueBound(term, MIRRORED[operator], value)
    return None


def is_tighter(strong: ValueBound, weak: ValueBound) -> bool:
    """Whether every value that meets the first condition meets the second; the terms are taken to be the same."""
    if strong[1:] == weak[1:]:
        return True
    if strong.operator == "=":
        return compare(weak.operator, strong.value, weak.value)
    side = strong.operator[0]
    if side not in "<>" or weak.operator not in (side, f"{side}=", "!="):
        return False
    # `x >= 5` says `x > 4` and `x >= 5`, but neither `x > 5` nor `x != 5`
    inclusive = strong.operator == side or weak.operator == f"{side}="
    return compare(f"{side}=" if inclusive else side, strong.value, weak.value)
