"""From text to PLTL formulas."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from lark import Token, Transformer, v_args

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.facts import Fact
from larspark.language.values import Value, normal
from larspark.translations.ltl.formulas import (
    FALSE,
    TRUE,
    LtlAnd,
    LtlImplies,
    LtlNot,
    LtlOr,
    Next,
    Pltl,
    Previous,
    Proposition,
    Since,
    Until,
    eventually,
    globally,
    historically,
    once,
)
from larspark.translations.reading import REPEATED_NAME, Reader, origin_of, unquote


@dataclass(frozen=True)
class LtlStatement:
    """`name := formula.`"""

    name: str
    formula: Pltl
    origin: Origin | None = field(default=None, compare=False, repr=False, kw_only=True)


UNNAMED = "holds"
"""The name of a formula written without one."""


def parse(text: str, file: str = "<ltl>") -> tuple[LtlStatement, ...]:
    """The statements of a text; raises Rejected."""
    statements = _READER.read(text, file)
    repeated = [later for number, later in enumerate(statements) if later.name in {s.name for s in statements[:number]}]
    if repeated:
        raise Rejected(
            Diagnostic(
                REPEATED_NAME,
                f"`{statement.name}` is defined twice.",
                "Choose another name, or join the formulas by `&` or `|`.",
                statement.origin,
            )
            for statement in repeated
        )
    return statements


@v_args(inline=True)
class _FormulaBuilder(Transformer[Token, tuple[LtlStatement, ...]]):
    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file

    def start(self, *children: LtlStatement | Pltl) -> tuple[LtlStatement, ...]:
        return tuple(child if isinstance(child, LtlStatement) else LtlStatement(UNNAMED, child) for child in children)

    def statement(self, name: Token, formula: Pltl) -> LtlStatement:
        return LtlStatement(str(name), formula, origin=origin_of(name, self.file))

    def formula(self, left: Pltl, _: Token, right: Pltl) -> Pltl:
        return LtlAnd((LtlImplies(left, right), LtlImplies(right, left)))

    def disjunct(self, *parts: Pltl) -> Pltl:
        return LtlOr(parts)

    def conjunct(self, *parts: Pltl) -> Pltl:
        return LtlAnd(parts)

    implication = LtlImplies
    until = Until
    since = Since
    negation = LtlNot
    next = Next
    previous = Previous
    eventually = staticmethod(eventually)
    globally = staticmethod(globally)
    once = staticmethod(once)
    historically = staticmethod(historically)

    def true(self) -> Pltl:
        return TRUE

    def false(self) -> Pltl:
        return FALSE

    def atom(self, name: Token, *args: Value) -> Pltl:
        return Proposition(Fact(_text(name), args))

    def value(self, token: Token) -> Value:
        return normal(Decimal(token)) if token.type == "NUMBER" else _text(token)


def _text(token: Token) -> str:
    return unquote(token) if token.type == "STRING" else str(token)


_READER = Reader(
    language="LTL",
    grammar="ltl/ltl.lark",
    builder=_FormulaBuilder,
    hint="Write `name := formula.` with ! & | -> X F G U for the future and Y O H S for the past.",
    hints={
        "R": "Write `!(!a U !b)` for `a R b`.",
        "W": "Write `(a U b) | G a` for `a W b`.",
        "T": "Write `!(!a S !b)` for `a T b`.",
        "Z": "Write `!Y !a` for `Z a`.",
        "&&": "Write `&`.",
        "||": "Write `|`.",
        "=>": "Write `->`.",
    },
)
