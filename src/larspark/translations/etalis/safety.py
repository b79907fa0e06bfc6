"""Which variables a pattern binds, and uses that nothing binds."""

from __future__ import annotations

from collections.abc import Iterator

from larspark.diagnostics import Diagnostic, Origin
from larspark.language.traversal import variables
from larspark.translations.etalis.patterns import (
    AbsentPattern,
    Combined,
    Event,
    EventRule,
    Operator,
    Pattern,
    Where,
    events,
    mentioned,
    parts,
)
from larspark.translations.reading import UNSAFE


def binds(pattern: Pattern) -> frozenset[str]:
    """The variables that every match of the pattern gives a value."""
    match pattern:
        case Event(atom):
            return frozenset(variable.name for variable in variables(atom))
        case Combined(Operator.OR, left, right):
            return binds(left) & binds(right)
        case AbsentPattern(_, first, last):
            return binds(first) | binds(last)
        case _:
            return frozenset().union(*map(binds, parts(pattern)))


def unsafe_uses(rule: EventRule) -> Iterator[Diagnostic]:
    """Head variables, conditions, absent patterns and alternatives that use a variable without a value."""
    for variable in variables(rule.head):
        if variable.name not in binds(rule.pattern):
            yield Diagnostic(
                UNSAFE,
                f"The head variable `{variable.name}` gets no value from the pattern.",
                "Use it in an event of the pattern, and in every alternative of OR.",
                variable.origin or rule.origin,
            )
    yield from _inside(rule.pattern, frozenset(v.name for v in variables(rule.head)), rule.origin)


def _inside(pattern: Pattern, outside: frozenset[str], origin: Origin | None) -> Iterator[Diagnostic]:
    """Unsafe uses in the pattern; `outside` are the variables used elsewhere in the rule."""
    match pattern:
        case Where(body, conditions):
            known = binds(body)
            for condition in conditions:
                for variable in variables(condition):
                    if variable.name not in known:
                        yield Diagnostic(
                            UNSAFE,
                            f"The condition uses `{variable.name}`, which the pattern before WHERE gives no value.",
                            "Use the variable in an event before WHERE.",
                            variable.origin or origin,
                        )
            yield from _inside(body, outside, origin)
        case AbsentPattern(body, first, last):
            known = binds(pattern)
            for atom in events(body):
                for variable in variables(atom):
                    if variable.name not in known and not variable.anonymous:
                        yield Diagnostic(
                            UNSAFE,
                            f"`{variable.name}` occurs under NOT but not between the brackets.",
                            "Write `_` if any value will do, or use it in one of the two patterns in brackets.",
                            variable.origin or origin,
                        )
            yield from _inside(body, outside | binds(pattern), origin)
            yield from _inside(first, outside | mentioned(last), origin)
            yield from _inside(last, outside | mentioned(first), origin)
        case Combined(operator, left, right):
            if operator is Operator.OR:
                for name in sorted((binds(left) ^ binds(right)) & outside):
                    yield Diagnostic(
                        UNSAFE,
                        f"`{name}` gets a value in one alternative of OR only, and is used outside of it.",
                        "Use it in both alternatives, or write two rules.",
                        origin,
                    )
                yield from _inside(left, outside, origin)
                yield from _inside(right, outside, origin)
            else:
                yield from _inside(left, outside | mentioned(right), origin)
                yield from _inside(right, outside | mentioned(left), origin)
        case _:
            for part in parts(pattern):
                yield from _inside(part, outside, origin)
