"""From text to PromQL expressions."""

from __future__ import annotations

from decimal import Decimal

from lark import Token, Transformer, v_args
from lark.tree import Meta

from larspark.diagnostics import Diagnostic, Rejected
from larspark.translations.compound_durations import milliseconds
from larspark.translations.prometheus.expressions import (
    Binary,
    Expression,
    FunctionCall,
    LabelGrouping,
    LabelMatcher,
    Matching,
    Number,
    VectorAggregation,
    VectorSelector,
)
from larspark.translations.reading import UNSUPPORTED, Reader, origin_of, unquote

AGGREGATIONS = frozenset({"sum", "avg", "min", "max", "count", "group"})
OTHER_AGGREGATIONS = frozenset({"topk", "bottomk", "quantile", "stddev", "stdvar", "count_values", "limitk"})


def parse(text: str, file: str = "<promql>") -> Expression:
    """The expression of a text; raises Rejected."""
    return _READER.read(text, file)


@v_args(inline=True)
class _ExpressionBuilder(Transformer[Token, Expression]):
    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file

    def start(self, expression: Expression) -> Expression:
        return expression

    def number(self, token: Token) -> Expression:
        return Number(Decimal(token), origin=origin_of(token, self.file))

    def negative(self, sign: Token, body: Expression) -> Expression:
        if isinstance(body, Number):
            return Number(-body.value, origin=origin_of(sign, self.file))
        return Binary("*", Number(Decimal(-1)), body, origin=origin_of(sign, self.file))

    def positive(self, _: Token, body: Expression) -> Expression:
        return body

    def binary(self, left: Expression, operator: Token, matching: Matching, right: Expression) -> Expression:
        return Binary(str(operator), left, right, matching, origin=origin_of(operator, self.file))

    def compared(
        self, left: Expression, operator: Token, as_number: bool, matching: Matching, right: Expression
    ) -> Expression:
        return Binary(str(operator), left, right, matching, as_number, origin=origin_of(operator, self.file))

    def truth(self, *word: Token) -> bool:
        return bool(word)

    def matching(self, *parts: object) -> Matching:
        match parts:
            case (Token() as word, tuple() as labels):
                return Matching(word == "on", labels)
            case (Token() as word, tuple() as labels, (str() as many, tuple() as included)):
                return Matching(word == "on", labels, many, included)
        return Matching()

    def group(self, word: Token, included: tuple[str, ...] = ()) -> tuple[str, tuple[str, ...]]:
        return str(word).removeprefix("group_"), included

    def labels(self, *names: Token | None) -> tuple[str, ...]:
        return tuple(str(name) for name in names if name is not None)

    def grouping(self, word: Token, labels: tuple[str, ...]) -> LabelGrouping:
        return LabelGrouping(word == "without", labels)

    def call(self, name: Token, *arguments: Expression | None) -> Expression:
        return self._called(name, tuple(one for one in arguments if one is not None), None)

    def grouped_before(self, name: Token, grouping: LabelGrouping, *arguments: Expression) -> Expression:
        return self._called(name, arguments, grouping)

    def grouped_after(self, name: Token, *rest: Expression | LabelGrouping | None) -> Expression:
        *arguments, grouping = (one for one in rest if one is not None)
        assert isinstance(grouping, LabelGrouping)
        return self._called(name, tuple(one for one in arguments if not isinstance(one, LabelGrouping)), grouping)

    def _called(self, name: Token, arguments: tuple[Expression, ...], grouping: LabelGrouping | None) -> Expression:
        origin = origin_of(name, self.file)
        if name in AGGREGATIONS and len(arguments) == 1:
            return VectorAggregation(str(name), grouping or LabelGrouping(False, ()), arguments[0], origin=origin)
        if name in AGGREGATIONS or name in OTHER_AGGREGATIONS or grouping is not None:
            message = f"The aggregation `{name}` has no translation in this form."
            hint = f"There are {', '.join(sorted(AGGREGATIONS))} of one expression."
            raise Rejected([Diagnostic(UNSUPPORTED, message, hint, origin)])
        return FunctionCall(str(name), arguments, origin=origin)

    @v_args(inline=False, meta=True)
    def selector(self, meta: Meta, children: list[object]) -> Expression:
        name = children[0]
        matchers = next((part for part in children if isinstance(part, tuple)), ())
        length = next((part for part in children if isinstance(part, int)), None)
        assert isinstance(name, Token)
        return VectorSelector(str(name), matchers, length, origin=origin_of(name, self.file))

    def matchers(self, *found: LabelMatcher | None) -> tuple[LabelMatcher, ...]:
        return tuple(one for one in found if one is not None)

    def matcher(self, label: Token, operator: Token, value: Token) -> LabelMatcher:
        text = str(value)[1:-1] if value.startswith("`") else unquote(value)
        return LabelMatcher(str(label), str(operator), text, origin=origin_of(label, self.file))

    def range(self, token: Token) -> int:
        return milliseconds(token) or 0


_READER = Reader(
    language="PromQL",
    grammar="prometheus/promql.lark",
    builder=_ExpressionBuilder,
    hint='Write a comparison like `rate(errors_total{job="api"}[5m]) > 0.5`.',
    hints={
        "offset": "Record the expression by a rule of its own and compare with that.",
        "@": "Rules are evaluated at the present; leave it out.",
        ":": "There are no sub-queries; record the inner expression by a rule of its own.",
        "^": "Write a product.",
        "atan2": "There are + - * / %.",
        "AND": "Write it in small letters, `and`.",
        "OR": "Write it in small letters, `or`.",
        "{": "Begin with the name of the metric.",
    },
)
