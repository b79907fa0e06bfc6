"""Functions of PromQL: over the samples of a range, and `absent`."""

from __future__ import annotations

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    At,
    Atom,
    Constant,
    Formula,
    Not,
    Some,
    Term,
    Variable,
    Windowed,
)
from larspark.translations.datalog import fresh_variables
from larspark.translations.prometheus.collected import LOOKBACK, Collected
from larspark.translations.prometheus.counters import gained
from larspark.translations.prometheus.expressions import Expression, FunctionCall, VectorSelector
from larspark.translations.prometheus.selectors import Chosen, chosen, last_samples
from larspark.translations.prometheus.series import Series
from larspark.translations.prometheus.vectors import Vector, VectorElement
from larspark.translations.reading import UNSUPPORTED

_OVER_TIME = {
    "avg_over_time": "avg",
    "max_over_time": "max",
    "min_over_time": "min",
    "sum_over_time": "sum",
    "count_over_time": "count",
}
RANGE_FUNCTIONS = (*_OVER_TIME, "last_over_time", "present_over_time", "rate", "increase")
FUNCTIONS = (*RANGE_FUNCTIONS, "absent", "absent_over_time")


def over_range(call: FunctionCall, collected: Collected) -> Vector:
    """A function of the samples within a range, for each series that has some."""
    selector = _range_of(call)
    series = collected.find(selector.metric, selector.origin)
    if series.derived:
        hint = "Apply the function to the series that the record is computed from."
        message = f"Only the present value of the record `{series.metric}` is known, not those of a range."
        raise Rejected([Diagnostic(UNSUPPORTED, message, hint, selector.origin)])
    assert selector.milliseconds is not None
    window = collected.window(selector.milliseconds, selector.origin)
    if call.function == "last_over_time":
        return last_samples(selector, series, window)
    elements = [_element(call, one, series, selector, collected) for one in chosen(selector, series)]
    return Vector(series.labels, tuple(elements), call.function in ("rate", "increase", "avg_over_time"))


def _element(
    call: FunctionCall, one: Chosen, series: Series, selector: VectorSelector, collected: Collected
) -> VectorElement:
    if call.function in ("rate", "increase"):
        return gained(collected, series, one, selector, call.function == "rate")
    assert selector.milliseconds is not None
    window = collected.window(selector.milliseconds, selector.origin)
    there = (Windowed(window, Some(series.sample(one.labels.values(), Variable("_1")))), *one.conditions)
    if call.function == "present_over_time":
        return VectorElement(one.labels, Constant(1), there)
    names = fresh_variables([*series.labels, "value", "time", "sample", "arrival"], set())
    value, time, arrival, result = names["sample"], names["time"], names["arrival"], names["value"]
    function = _OVER_TIME[call.function]
    # The greatest and the least are the same without the times; the others count equal samples of different times.
    if function in ("max", "min"):
        terms: tuple[Term, ...] = (value,)
        sample: Formula = Windowed(window, Some(series.sample(one.labels.values(), value)))
    else:
        terms = (value, time, arrival) if series.numbered else (value, time)
        sample = Windowed(window, At(time, series.sample(one.labels.values(), value, arrival)))
        collected.counts_samples(series, call.origin)
    aggregate = Aggregate(function, "=", result, (AggregateElement(terms, (sample,)),))
    return VectorElement(one.labels, result, (*there, aggregate))


def absence(selected: Expression, vector: Vector, collected: Collected) -> Vector:
    """`absent`: one element if there is none, with the labels that are asked for by `=`."""
    labels: dict[str, Term] = {}
    if isinstance(selected, VectorSelector):
        asked = [one for one in selected.matchers if one.operator == "="]
        twice = {one.label for one in selected.matchers if sum(o.label == one.label for o in selected.matchers) > 1}
        labels = {one.label: Constant(one.value) for one in asked if one.label not in twice and one.value}
    body: tuple[Formula, ...] = ()
    if vector.elements:
        body = (Not(Atom(collected.predicate(f"{_stem(selected)}_present", vector, (), False))),)
    return Vector(tuple(labels), (VectorElement(labels, Constant(1), body),))


def absence_over_time(call: FunctionCall, collected: Collected) -> Vector:
    """`absent_over_time`: the same for a range."""
    selector = _range_of(call)
    there = over_range(FunctionCall("present_over_time", (selector,), origin=call.origin), collected)
    return absence(selector, there, collected)


def samples_within_lookback(selector: VectorSelector, collected: Collected) -> Vector:
    """An instant selector."""
    if selector.milliseconds is not None:
        hint = f"Put it into a function, as `rate({selector.metric}[5m])`."
        message = f"The range of `{selector.metric}` is no value."
        raise Rejected([Diagnostic(UNSUPPORTED, message, hint, selector.origin)])
    series = collected.find(selector.metric, selector.origin)
    return last_samples(selector, series, collected.window(LOOKBACK, selector.origin))


def _range_of(call: FunctionCall) -> VectorSelector:
    match call.arguments:
        case (VectorSelector(milliseconds=int(length)) as selector,) if length > 0:
            return selector
    hint = f"Write `{call.function}(metric[5m])`."
    message = f"`{call.function}` takes a range of samples."
    raise Rejected([Diagnostic(UNSUPPORTED, message, hint, call.origin)])


def _stem(selected: Expression) -> str:
    return selected.metric if isinstance(selected, VectorSelector) else "vector"
