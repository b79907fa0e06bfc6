"""From text to event rules, checked for safety."""

from __future__ import annotations

from decimal import Decimal
from functools import reduce
from itertools import count

from lark import Token, Transformer, v_args
from lark.tree import Meta

from larspark.diagnostics import Rejected
from larspark.language.tree import Atom, Comparison, Constant, Operation, Term, Variable
from larspark.language.values import normal
from larspark.translations.etalis.patterns import (
    AbsentPattern,
    Combined,
    Event,
    EventRule,
    Operator,
    Pattern,
    TimePoint,
    Where,
    Within,
)
from larspark.translations.etalis.safety import unsafe_uses
from larspark.translations.reading import Reader, origin_of, unquote


def parse(text: str, file: str = "<etalis>") -> tuple[EventRule, ...]:
    """The rules of a text; raises Rejected."""
    rules = _READER.read(text, file)
    found = [diagnostic for rule in rules for diagnostic in unsafe_uses(rule)]
    if found:
        raise Rejected(found)
    return rules


def _chain(operator: Operator) -> object:
    def build(_: _PatternBuilder, *patterns: Pattern) -> Pattern:
        return reduce(lambda left, right: Combined(operator, left, right), patterns)

    return v_args(inline=True)(build)


class _PatternBuilder(Transformer[Token, tuple[EventRule, ...]]):
    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.anonymous_numbers = count(1)

    def start(self, rules: list[EventRule]) -> tuple[EventRule, ...]:
        return tuple(rules)

    @v_args(meta=True)
    def rule(self, meta: Meta, children: list[object]) -> EventRule:
        head, pattern = children
        return EventRule(head, pattern, origin=origin_of(meta, self.file))  # type: ignore[arg-type]

    @v_args(inline=True)
    def pattern(self, body: Pattern, *conditions: Comparison) -> Pattern:
        return Where(body, conditions)

    seq = _chain(Operator.SEQ)
    both = _chain(Operator.AND)
    par = _chain(Operator.PAR)
    either = _chain(Operator.OR)
    equals = _chain(Operator.EQUALS)
    meets = _chain(Operator.MEETS)
    during = _chain(Operator.DURING)
    starts = _chain(Operator.STARTS)
    finishes = _chain(Operator.FINISHES)

    @v_args(inline=True)
    def event(self, atom: Atom) -> Pattern:
        return Event(atom)

    @v_args(inline=True)
    def time_point(self, number: Token) -> Pattern:
        return TimePoint(int(number))

    @v_args(inline=True)
    def within(self, body: Pattern, length: Token) -> Pattern:
        return Within(body, int(length[1:]))

    @v_args(inline=True)
    def absent(self, body: Pattern, _: Token, first: Pattern, last: Pattern) -> Pattern:
        return AbsentPattern(body, first, last)

    @v_args(meta=True)
    def atom(self, meta: Meta, children: list[Token | Term]) -> Atom:
        name, *args = children
        return Atom(_text(name), tuple(args), origin=origin_of(meta, self.file))  # type: ignore[arg-type]

    @v_args(meta=True)
    def condition(self, meta: Meta, children: list[Term | Token]) -> Comparison:
        left, operator, right = children
        return Comparison(str(operator), left, right, origin=origin_of(meta, self.file))  # type: ignore[arg-type]

    @v_args(inline=True)
    def truth(self, word: Token) -> Comparison:
        return Comparison("=", Constant(0), Constant(0 if word == "true" else 1))

    @v_args(inline=True)
    def sum(self, first: Term, *rest: Term | Token) -> Term:
        return _left_to_right(first, rest)

    @v_args(inline=True)
    def product(self, first: Term, *rest: Term | Token) -> Term:
        return _left_to_right(first, rest)

    @v_args(inline=True)
    def signed(self, sign: Token, term: Term) -> Term:
        if isinstance(term, Constant) and isinstance(term.value, int | Decimal):
            return Constant(-term.value if sign == "-" else term.value)
        return Operation("-", Constant(0), term) if sign == "-" else term

    @v_args(inline=True)
    def variable(self, name: Token) -> Term:
        return Variable(str(name), origin=origin_of(name, self.file))

    def anonymous(self, _: list[object]) -> Term:
        return Variable(f"_{next(self.anonymous_numbers)}")

    @v_args(inline=True)
    def symbol(self, token: Token) -> Term:
        return Constant(_text(token))

    @v_args(inline=True)
    def number(self, token: Token) -> Term:
        return Constant(normal(Decimal(token)))


def _left_to_right(first: Term, rest: tuple[Term | Token, ...]) -> Term:
    result = first
    for operator, right in zip(rest[::2], rest[1::2], strict=True):
        result = Operation("%" if operator == "mod" else str(operator), result, right)  # type: ignore[arg-type]
    return result


def _text(token: object) -> str:
    return unquote(token) if isinstance(token, Token) and token.type == "STRING" else str(token)


_READER = Reader(
    language="ETALIS",
    grammar="etalis/etalis.lark",
    builder=_PatternBuilder,
    hint="Write `head <- pattern.`, with parentheses around patterns of different operators.",
    hints={
        **{operator.lower(): f"Write the operator in capitals, `{operator}`." for operator in Operator},
        ":-": "Write `<-` between head and pattern.",
        ";": "Write `SEQ`.",
        "CNOT": "Write `NOT(p).[q, r]`.",
        "FNC": "Write the condition behind WHERE.",
    },
)
