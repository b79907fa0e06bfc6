"""What may occur in a random program, and the predicates it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from larspark.language.facts import Signature
from larspark.language.values import Value

INPUT = (Signature("a", 0), Signature("b", 0), Signature("e", 1), Signature("f", 2), Signature("g", 3))
FREQUENT_INPUT = (*INPUT[:4], *INPUT[:4], *INPUT, *INPUT[2:3] * 5, *INPUT[:1] * 2)
RARE_INPUT = (Signature("b", 0), Signature("f", 2))
DERIVED = (Signature("p", 0), Signature("q", 0), Signature("r", 1), Signature("s", 1))
"""Intensional predicates, lowest stratum first."""
WIDE_DERIVED = (*DERIVED, Signature("t", 2))
BACKGROUND = Signature("bg", 1)
UNKNOWN = Signature("other", 0)
"""Arrives and is counted, though no rule names it."""

VALUES: tuple[Value, ...] = ("x", 1, 2)
WHOLE: tuple[Value, ...] = (0, 1, 2, 3, 5, -4, 10)
"""They can be added and divided; a sum with a symbol among its values has no value."""
MIXED: tuple[Value, ...] = ("x", "two words", 0, 1, 2, -1, Decimal("1.5"), Decimal("-0.25"))
ODD: tuple[Value, ...] = ("", "1", "1.5", "Upper", "not", "é", 'quote"', "back\\slash", "line\nbreak", "-x", 1, 2)
"""Symbols that need quotes, some of which look like numbers or variables."""
MEASURED: tuple[Value, ...] = (
    Decimal("0.5"),
    Decimal("1.5"),
    Decimal("2.5"),
    Decimal("-0.75"),
    Decimal("10.001"),
    1,
    2,
)
"""Decimals that differ by what is added to them, so that computed ones meet those that arrive."""
EXTREME: tuple[Value, ...] = (
    2**31 - 1,
    2**31,
    -(2**31) - 1,
    2**53 + 1,
    2**60 - 1,
    2**60,
    2**61,
    2**63,
    -(2**63),
    10**30,
    Decimal("0.1234567890123456789012345678901234"),
    Decimal("12345678901234567890.5"),
)

OVER_ANYTHING = ("time", "future", "hop", "half-open", "all", "filter", "interval", "time-time")
OVER_INPUT = ("tuple", "per", "session", "filter-tuple", "time-tuple", "tuple-time")


@dataclass(frozen=True)
class Shape:
    """What may occur in a random program."""

    rules: int = 6
    negation: str = "stratified"
    """none, stratified, or free (also through recursion)."""
    recursion: bool = True
    pinned_heads: bool = True
    """`@T` heads, also into past and future."""
    windows: tuple[str, ...] = OVER_ANYTHING + OVER_INPUT
    variables: bool = True
    arithmetic: bool = True
    aggregates: bool = True
    constraints: bool = False
    disjunction: bool = False
    knots: bool = False
    """Conclusions of one time point rest on each other, besides the rules."""
    background: bool = True
    preferences: int = 0
    """At most so many."""
    arriving: bool = False
    """Derived predicates may be input as well and may be recorded, input may also be background."""
    wide: bool = False
    """Every construct of plain programs in every position where it may stand, over values of all kinds."""
    dense: bool = False
    """What the rules read, and nothing else, arrives at nearly every time point, the same atoms again and again."""
    full: bool = False
    """Bodies and heads may be any formula."""

    @property
    def derived(self) -> tuple[Signature, ...]:
        return WIDE_DERIVED if self.wide else DERIVED
