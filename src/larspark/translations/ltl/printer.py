"""The spelling of PLTL formulas, the inverse of the parser."""

from __future__ import annotations

from larspark.translations.ltl.formulas import (
    TRUE,
    LtlAnd,
    LtlImplies,
    LtlNot,
    LtlOr,
    LtlTruth,
    Next,
    Pltl,
    Previous,
    Proposition,
    Since,
    Until,
)


def show(formula: Pltl) -> str:
    """A formula in the spelling the parser reads; abbreviations are recognised."""
    match formula:
        case LtlTruth(value):
            return "true" if value else "false"
        case Proposition(fact):
            return str(fact)
        case LtlNot(Until(left, LtlNot(body))) if left == TRUE:
            return f"G {_tight(body)}"
        case LtlNot(Since(left, LtlNot(body))) if left == TRUE:
            return f"H {_tight(body)}"
        case LtlNot(body):
            return f"!{_tight(body)}"
        case LtlAnd(parts):
            return " & ".join(map(_tight, parts))
        case LtlOr(parts):
            return " | ".join(map(_tight, parts))
        case LtlImplies(left, right):
            return f"{_tight(left)} -> {_tight(right)}"
        case Next(body):
            return f"X {_tight(body)}"
        case Previous(body):
            return f"Y {_tight(body)}"
        case Until(left, body) if left == TRUE:
            return f"F {_tight(body)}"
        case Since(left, body) if left == TRUE:
            return f"O {_tight(body)}"
        case Until(left, right):
            return f"{_tight(left)} U {_tight(right)}"
        case Since(left, right):
            return f"{_tight(left)} S {_tight(right)}"


def _tight(formula: Pltl) -> str:
    """With parentheses unless the formula binds as tightly as a unary operator."""
    match formula:
        case LtlAnd() | LtlOr() | LtlImplies():
            return f"({show(formula)})"
        case Until(left, _) | Since(left, _) if left != TRUE:
            return f"({show(formula)})"
        case _:
            return show(formula)
