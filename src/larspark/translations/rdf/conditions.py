"""FILTER expressions as conditions in negation normal form.

SPARQL's errors (an order of things that are no numbers, arithmetic with them) fail the filter, also under `!`; so do
the comparisons here, which add 0 to a variable so that only numbers pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.tree import Comparison, Constant, Operation, Term, Variable
from larspark.translations.rdf.queries import (
    AggregateCall,
    BothPatterns,
    Bound,
    Calculation,
    Comparing,
    EitherPattern,
    Existing,
    Expression,
    Negated,
    PlainTerm,
)
from larspark.translations.reading import UNSUPPORTED

_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


@dataclass(frozen=True)
class Junction:
    """All or any of several conditions."""

    kind: str
    parts: tuple[Condition, ...]


ALL, ANY = "all", "any"


@dataclass(frozen=True)
class Test:
    """EXISTS or BOUND, or its negation."""

    subject: Existing | Bound
    positive: bool


Condition: TypeAlias = Comparison | Junction | Test

TermOf: TypeAlias = Callable[[str, Origin | None], Term]
"""The term of a variable, or Rejected."""


def condition_of(
    expression: Expression,
    term_of: TermOf,
    aggregate_of: Callable[[AggregateCall], Term] | None = None,
    positive: bool = True,
) -> Condition:
    """The expression as a condition, or its negation."""

    def below(part: Expression, sign: bool = positive) -> Condition:
        return condition_of(part, term_of, aggregate_of, sign)

    match expression:
        case BothPatterns(left, right):
            return Junction(ALL if positive else ANY, (below(left), below(right)))
        case EitherPattern(left, right):
            return Junction(ANY if positive else ALL, (below(left), below(right)))
        case Negated(body):
            return below(body, not positive)
        case Existing() | Bound():
            return Test(expression, positive)
        case Comparing(operator, left, right):
            wanted = operator if positive else _OPPOSITE[operator]
            one, two = (value_of(part, term_of, aggregate_of) for part in (left, right))
            if wanted not in ("=", "!="):
                one, two = _number(one, expression), _number(two, expression)
            return Comparison(wanted, one, two)
        case _:
            raise _refused(
                "A filter needs a comparison here.",
                "Write ?x = …, ?x < …, BOUND(?x), EXISTS { … }, && || and !.",
                expression,
            )


def value_of(
    expression: Expression, term_of: TermOf, aggregate_of: Callable[[AggregateCall], Term] | None = None
) -> Term:
    """The expression as a term."""
    match expression:
        case PlainTerm(Variable(name)):
            return term_of(name, expression.origin)
        case PlainTerm(term):
            return term
        case Calculation("/", _, _):
            raise _refused(
                "Division has no exact translation: integers are divided to decimals in SPARQL.",
                "Compare products, ?x > 2 * ?y, in place of quotients.",
                expression,
            )
        case Calculation(operator, left, right):
            return Operation(operator, value_of(left, term_of, aggregate_of), value_of(right, term_of, aggregate_of))
        case AggregateCall() if aggregate_of is not None:
            return aggregate_of(expression)
        case AggregateCall():
            raise _refused("An aggregate cannot stand here.", "Use it in SELECT or HAVING.", expression)
        case _:
            raise _refused("A condition cannot stand for a value.", "Use it in FILTER.", expression)


def _number(term: Term, expression: Expression) -> Term:
    """The term, such that only numbers have a value."""
    if isinstance(term, Constant) and isinstance(term.value, str):
        raise _refused(
            "Only numbers are ordered here.", "Compare with = or !=, or give the data numbers to compare.", expression
        )
    return Operation("+", term, Constant(0)) if isinstance(term, Variable) else term


def _refused(message: str, hint: str, expression: Expression) -> Rejected:
    return Rejected([Diagnostic(UNSUPPORTED, message, hint, expression.origin)])
