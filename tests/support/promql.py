"""PromQL by its documentation: a small evaluator over samples, and the life of alerts, for tests of the translation.

Times are numbers of minutes, which are also the evaluations. Expressions are pairs of a text and its value at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

Labels = frozenset[tuple[str, str]]
Vector = dict[Labels, Fraction]
Matchers = tuple[tuple[str, str, str], ...]

LOOKBACK = 5


class Undefined(Exception):
    """Prometheus reports an error, or the value is no number or too near to another for decimals to tell."""


@dataclass(frozen=True)
class Sample:
    time: int
    metric: str
    labels: Labels
    value: Fraction


@dataclass(frozen=True)
class Expression:
    text: str
    at: Callable[[list[Sample], int], Vector]
    calculated: bool = False
    """Whether there are quotients in it."""


def label(labels: Labels, name: str) -> str:
    return dict(labels).get(name, "")


def selected(metric: str, matchers: Matchers, samples: list[Sample]) -> dict[Labels, list[Sample]]:
    def fits(labels: Labels) -> bool:
        for name, operator, wanted in matchers:
            found = label(labels, name)
            options = wanted.split("|")
            matches = any(found.startswith(o[:-2]) if o.endswith(".*") else found == o for o in options)
            if matches != (operator in ("=", "=~")):
                return False
        return True

    series: dict[Labels, list[Sample]] = {}
    for sample in sorted(samples, key=lambda one: one.time):
        if sample.metric == metric and fits(sample.labels):
            series.setdefault(sample.labels, []).append(sample)
    return series


def within(found: list[Sample], now: int, length: int) -> list[Sample]:
    return [one for one in found if now - length < one.time <= now]


def selector_text(metric: str, matchers: Matchers) -> str:
    inside = ", ".join(f'{name}{operator}"{value}"' for name, operator, value in matchers)
    return f"{metric}{{{inside}}}" if inside else metric


def instant(metric: str, matchers: Matchers) -> Expression:
    def at(samples: list[Sample], now: int) -> Vector:
        chosen = selected(metric, matchers, samples).items()
        return {labels: inside[-1].value for labels, all_ in chosen if (inside := within(all_, now, LOOKBACK))}

    return Expression(selector_text(metric, matchers), at)


def increase(inside: list[Sample], now: int, length: int) -> Fraction | None:
    """The extrapolation of Prometheus 3, in minutes."""
    if len(inside) < 2:
        return None
    gained = inside[-1].value - inside[0].value
    for one, other in pairwise(inside):
        if other.value < one.value:
            gained += one.value
    to_start, to_end = Fraction(inside[0].time - (now - length)), Fraction(now - inside[-1].time)
    sampled = Fraction(inside[-1].time - inside[0].time)
    mean = sampled / (len(inside) - 1)
    threshold = mean * Fraction(11, 10)
    if to_start >= threshold:
        to_start = mean / 2
    if gained > 0 and inside[0].value >= 0:
        to_start = min(to_start, sampled * (inside[0].value / gained))
    if to_end >= threshold:
        to_end = mean / 2
    return gained * (sampled + to_start + to_end) / sampled


def over_time(function: str, metric: str, matchers: Matchers, length: int) -> Expression:
    def value(inside: list[Sample], now: int) -> Fraction | None:
        values = [one.value for one in inside]
        match function:
            case "rate":
                found = increase(inside, now, length)
                return None if found is None else found / (60 * length)
            case "increase":
                return increase(inside, now, length)
            case "avg_over_time":
                return sum(values, Fraction(0)) / len(values)
            case "sum_over_time":
                return sum(values, Fraction(0))
            case "max_over_time":
                return max(values)
            case "min_over_time":
                return min(values)
            case "last_over_time":
                return values[-1]
        return Fraction(len(values))

    def at(samples: list[Sample], now: int) -> Vector:
        found: Vector = {}
        for labels, all_ in selected(metric, matchers, samples).items():
            inside = within(all_, now, length)
            result = value(inside, now) if inside else None
            if result is not None:
                found[labels] = result
        return found

    text = f"{function}({selector_text(metric, matchers)}[{length}m])"
    return Expression(text, at, function in ("rate", "increase", "avg_over_time"))


def absent(metric: str, matchers: Matchers, length: int | None) -> Expression:
    def at(samples: list[Sample], now: int) -> Vector:
        series = selected(metric, matchers, samples).values()
        if any(within(all_, now, length or LOOKBACK) for all_ in series):
            return {}
        names = [name for name, _, _ in matchers]
        asked = [(name, value) for name, operator, value in matchers if operator == "=" and names.count(name) == 1]
        return {frozenset(asked): Fraction(1)}

    inner = selector_text(metric, matchers)
    return Expression(f"absent_over_time({inner}[{length}m])" if length else f"absent({inner})", at)


def calculate(operator: str, left: Fraction, right: Fraction) -> Fraction:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    if right == 0:
        raise Undefined
    return left / right


def compare(operator: str, left: Fraction, right: Fraction, calculated: bool) -> bool:
    if abs(left - right) < Fraction(1, 10**8) and (calculated or left != right):
        raise Undefined
    return {
        "==": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[operator]


COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def result(operator: str, as_number: bool, left: Fraction, right: Fraction, calculated: bool) -> Fraction | None:
    """The value of an element; None: it is filtered out."""
    if operator not in COMPARISONS:
        return calculate(operator, left, right)
    holds = compare(operator, left, right, calculated)
    if as_number:
        return Fraction(int(holds))
    return left if holds else None


def with_number(body: Expression, operator: str, number: Fraction, as_number: bool, number_left: bool) -> Expression:
    def at(samples: list[Sample], now: int) -> Vector:
        found: Vector = {}
        for labels, value in body.at(samples, now).items():
            left, right = (number, value) if number_left else (value, number)
            kept = result(operator, as_number, left, right, body.calculated)
            if kept is not None:
                is_filter = operator in COMPARISONS and not as_number
                found[labels] = value if is_filter else kept
        return found

    sign = f"{operator} bool" if as_number else operator
    shown = str(float(number))
    parts = (shown, f"({body.text})") if number_left else (f"({body.text})", shown)
    return Expression(f"{parts[0]} {sign} {parts[1]}", at, body.calculated or operator == "/")


@dataclass(frozen=True)
class Match:
    on: tuple[str, ...] | None = None
    ignoring: tuple[str, ...] = ()
    group_left: bool = False
    included: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.on is None and not self.ignoring:
            return ""
        words = f"on({','.join(self.on)})" if self.on is not None else f"ignoring({','.join(self.ignoring)})"
        return f"{words} group_left({','.join(self.included)})" if self.group_left else words

    def signature(self, labels: Labels) -> Labels:
        if self.on is not None:
            return frozenset((name, value) for name, value in labels if name in self.on)
        return frozenset((name, value) for name, value in labels if name not in self.ignoring)


def with_vector(left: Expression, operator: str, right: Expression, match: Match, as_number: bool) -> Expression:
    calculated = left.calculated or right.calculated

    def at(samples: list[Sample], now: int) -> Vector:
        ones: dict[Labels, tuple[Labels, Fraction]] = {}
        for labels, value in right.at(samples, now).items():
            key = match.signature(labels)
            if key in ones:
                raise Undefined
            ones[key] = labels, value
        found: Vector = {}
        seen = set()
        for labels, value in left.at(samples, now).items():
            key = match.signature(labels)
            if key not in ones:
                continue
            if not match.group_left and key in seen:
                raise Undefined
            seen.add(key)
            other_labels, other = ones[key]
            kept = result(operator, as_number, value, other, calculated)
            if kept is None:
                continue
            made = dict(labels) if match.group_left else dict(key)
            for name in match.included:
                made.pop(name, None)
                if label(other_labels, name):
                    made[name] = label(other_labels, name)
            if frozenset(made.items()) in found:
                raise Undefined
            found[frozenset(made.items())] = kept
        return found

    sign = f"{operator} bool" if as_number else operator
    return Expression(f"({left.text}) {sign} {match} ({right.text})", at, calculated or operator == "/")


def set_operation(left: Expression, operator: str, right: Expression, match: Match) -> Expression:
    def at(samples: list[Sample], now: int) -> Vector:
        first, second = left.at(samples, now), right.at(samples, now)
        in_first, in_second = ({match.signature(labels) for labels in side} for side in (first, second))
        match operator:
            case "and":
                return {labels: value for labels, value in first.items() if match.signature(labels) in in_second}
            case "unless":
                return {labels: value for labels, value in first.items() if match.signature(labels) not in in_second}
        others = {labels: value for labels, value in second.items() if match.signature(labels) not in in_first}
        return {**others, **first}

    text = f"({left.text}) {operator} {match} ({right.text})"
    return Expression(text, at, left.calculated or right.calculated)


def aggregate(function: str, labels: tuple[str, ...], without: bool, body: Expression) -> Expression:
    def at(samples: list[Sample], now: int) -> Vector:
        groups: dict[Labels, list[Fraction]] = {}
        for found, value in body.at(samples, now).items():
            key = frozenset((name, one) for name, one in found if (name in labels) != without)
            groups.setdefault(key, []).append(value)
        values = {
            "sum": lambda all_: sum(all_, Fraction(0)),
            "avg": lambda all_: sum(all_, Fraction(0)) / len(all_),
            "min": min,
            "max": max,
            "count": lambda all_: Fraction(len(all_)),
        }
        return {key: values[function](all_) for key, all_ in groups.items()}

    text = f"{function} {'without' if without else 'by'} ({', '.join(labels)}) ({body.text})"
    return Expression(text, at, body.calculated or function == "avg")


def firing(
    body: Expression, samples: list[Sample], end: int, pending: int, keep: int, interval: int = 1
) -> list[set[Labels]]:
    """The alerts that fire at each time point, by the states that a server keeps."""
    active: dict[Labels, int] = {}
    fires: set[Labels] = set()
    false_since: dict[Labels, int] = {}
    shown = []
    for now in range(end + 1):
        if now % interval == 0:
            found = set(body.at([one for one in samples if one.time <= now], now))
            for labels in found:
                active.setdefault(labels, now)
                false_since.pop(labels, None)
            for labels in set(active) - found:
                since = false_since.setdefault(labels, now)
                if labels not in fires or now - since >= keep:
                    del active[labels], false_since[labels]
                    fires.discard(labels)
            fires |= {labels for labels, since in active.items() if now - since >= pending}
        shown.append(set(fires))
    return shown
