"""Selectors: the last sample of each series within the lookback, or all samples within a range."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.tree import (
    Comparison,
    Constant,
    Formula,
    Keyed,
    PartitionWindow,
    Some,
    Term,
    TimeWindow,
    Variable,
    Windowed,
)
from larspark.translations.datalog import fresh_variables
from larspark.translations.prometheus.expressions import LabelMatcher, VectorSelector
from larspark.translations.prometheus.series import Series
from larspark.translations.prometheus.vectors import Vector, VectorElement
from larspark.translations.reading import UNKNOWN_NAME, UNSUPPORTED

_PLAIN = re.compile(r"[^.*+?()\[\]{}|\\^$]*")


@dataclass(frozen=True)
class Chosen:
    """Series that a selector takes: terms for the labels, and conditions on them."""

    labels: dict[str, Term]
    conditions: tuple[Formula, ...]


def last_samples(selector: VectorSelector, series: Series, window: TimeWindow) -> Vector:
    """An instant selector: for each series its last sample in the window."""
    value = fresh_variables([*series.labels, "value"], set())["value"]
    elements = []
    for one in chosen(selector, series):
        atom = series.sample(one.labels.values(), value)
        literal: Formula = atom
        if not series.derived:
            last = PartitionWindow(1, 0, (Keyed(series.signature, tuple(range(len(series.labels)))),))
            literal = Windowed(last, Windowed(window, Some(atom)))
        elements.append(VectorElement(one.labels, value, (literal, *one.conditions)))
    return Vector(series.labels, tuple(elements))


def chosen(selector: VectorSelector, series: Series) -> Iterator[Chosen]:
    """The series with the labels that the matchers ask for; one for each choice of alternatives."""
    variables: dict[str, Variable] = fresh_variables([*series.labels, "value"], set())
    alternatives = [_alternatives(matcher, series) for matcher in selector.matchers]
    for choice in product(*alternatives):
        labels: dict[str, Term] = {name: variables[name] for name in series.labels}
        conditions: list[Formula] = []
        possible = True
        for matcher, requirements in zip(selector.matchers, choice, strict=True):
            for operator, value in requirements:
                match labels[matcher.label], operator:
                    case Constant() as known, "=":
                        possible = possible and known == value
                    case Variable(), "=":
                        labels[matcher.label] = value
                        conditions = [_with(one, variables[matcher.label], value) for one in conditions]
                    case term, _:
                        conditions.append(Comparison(operator, term, value))
        if possible:
            yield Chosen(labels, tuple(conditions))


def _with(condition: Formula, variable: Variable, value: Constant) -> Formula:
    assert isinstance(condition, Comparison)
    return Comparison(condition.operator, value, condition.right) if condition.left == variable else condition


def _alternatives(matcher: LabelMatcher, series: Series) -> list[list[tuple[str, Constant]]]:
    """What is required of the label: one list of comparisons for each alternative."""
    if matcher.label not in series.labels:
        raise _rejected(
            UNKNOWN_NAME,
            f"The series `{series.metric}` has no label `{matcher.label}`.",
            f"Declare it: `# series {series.metric}({', '.join((*series.labels, matcher.label))})`.",
            matcher.origin,
        )
    value = Constant(matcher.value)
    match matcher.operator:
        case "=" | "!=" as operator:
            return [[(operator, value)]]
        case "=~":
            return [list(_within(part)) for part in _patterns(matcher)]
    # Not matching any pattern: one way to miss each of them.
    ways: list[list[tuple[str, Constant]]] = [[]]
    for part in _patterns(matcher):
        ways = [[*way, missed] for way in ways for missed in _outside(part)]
    return ways


@dataclass(frozen=True)
class _Literal:
    text: str


@dataclass(frozen=True)
class _LabelPrefix:
    text: str
    longer: bool
    """Whether something must follow."""


def _patterns(matcher: LabelMatcher) -> list[_Literal | _LabelPrefix]:
    """The alternatives of a regular expression, each a text or the beginning of texts."""
    found: list[_Literal | _LabelPrefix] = []
    inner = re.fullmatch(r"\((?:\?:)?([^()]*)\)", matcher.value)
    for part in (inner[1] if inner else matcher.value).split("|"):
        plain = re.sub(r"\\([.\-/+*?])", r"\1", part)
        stem = part.removesuffix(".*").removesuffix(".+")
        if part != stem and _PLAIN.fullmatch(stem):
            found.append(_LabelPrefix(stem, part.endswith(".+")))
        elif _PLAIN.fullmatch(re.sub(r"\\[.\-/+*?]", "", part)):
            found.append(_Literal(plain))
        else:
            raise _rejected(
                UNSUPPORTED,
                f"The regular expression `{matcher.value}` has no translation.",
                "List the values, `a|b|c`, or say how they begin, `a.*`.",
                matcher.origin,
            )
    return found


def _within(pattern: _Literal | _LabelPrefix) -> Iterator[tuple[str, Constant]]:
    match pattern:
        case _Literal(text):
            yield "=", Constant(text)
        case _LabelPrefix(text, longer):
            yield (">" if longer else ">="), Constant(text)
            if text:
                yield "<", Constant(_after(text))


def _outside(pattern: _Literal | _LabelPrefix) -> Iterator[tuple[str, Constant]]:
    match pattern:
        case _Literal(text):
            yield "!=", Constant(text)
        case _LabelPrefix(text, longer):
            yield ("<=" if longer else "<"), Constant(text)
            if text:
                yield ">=", Constant(_after(text))


def _after(prefix: str) -> str:
    """The first text behind all that begin so, in the order of characters."""
    return prefix[:-1] + chr(ord(prefix[-1]) + 1)


def _rejected(code: str, message: str, hint: str, origin: Origin | None) -> Rejected:
    return Rejected([Diagnostic(code, message, hint, origin)])
