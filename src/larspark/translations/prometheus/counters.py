"""`rate` and `increase`: what a counter has gained within a range, over its resets, carried on to both ends of it.

The samples of a range give the gain between the first and the last. It is carried on to the ends of the range where
samples are near to them, else by half the mean distance of samples; to the left never beyond where the counter would
have been 0.
"""

from __future__ import annotations

from decimal import Decimal

from larspark.language.facts import Signature
from larspark.language.printing.printer import show
from larspark.language.printing.terms import show_term
from larspark.language.traversal import substitute
from larspark.language.tree import Atom, Constant, Operation, Term, TimeWindow, Variable
from larspark.language.values import normal
from larspark.translations.datalog import fresh_variables, tidy
from larspark.translations.prometheus.collected import Collected
from larspark.translations.prometheus.expressions import VectorSelector
from larspark.translations.prometheus.selectors import Chosen
from larspark.translations.prometheus.series import Series
from larspark.translations.prometheus.vectors import VectorElement, quotient, to_places
from larspark.translations.written_rules import atom, written

_OWN = frozenset("ABCDEFGHINPRSTV")
"""Variables of the rules below."""


def gained(
    collected: Collected, series: Series, one: Chosen, selector: VectorSelector, per_second: bool
) -> VectorElement:
    """The element of `rate` or `increase` over a range."""
    assert selector.milliseconds is not None
    points = collected.points(selector.milliseconds, selector.origin)
    window = collected.window(selector.milliseconds, selector.origin)
    one = _renamed(one)
    collected.counts_samples(series, selector.origin)
    labels = tuple(one.labels.values())
    gain, before, after = _predicates(collected, series, points, window)
    first, last, inner, left, right = (Variable(name) for name in "FEISR")
    length = Operation("-", last, first)
    carried = Operation("+", Operation("+", length, left), right)
    seconds = Constant(normal(Decimal(selector.milliseconds) / 1000))
    over: Term = Operation("*", length, seconds) if per_second else length
    body = (
        Atom(gain, (*labels, first, last, Variable("_1"), Variable("_2"), Variable("_3"), inner)),
        Atom(before, (*labels, left)),
        Atom(after, (*labels, right)),
        *one.conditions,
    )
    return VectorElement(one.labels, inner, body).computed(quotient(Operation("*", inner, carried), over))


def _predicates(collected: Collected, series: Series, points: int, window: TimeWindow) -> tuple[str, str, str]:
    """Predicates for the gain from the first to the last sample, and for how far it is carried on to either side."""
    keys = [(what, series.metric, points) for what in ("gain", "before", "after")]
    if keys[0] not in collected.known:
        for key in keys:
            collected.known[key] = collected.names.fresh(f"{series.metric}_{key[0]}_{points}")
        collected.rules += map(tidy, written(_range_rules(collected, series, points, f"[{window.past}]")))
    gain, before, after = (collected.known[key] for key in keys)
    return gain, before, after


def _range_rules(collected: Collected, series: Series, points: int, window: str) -> str:
    gain, before, after = (collected.known[what, series.metric, points] for what in ("gain", "before", "after"))
    near = collected.names.fresh(f"{before}_at_most")
    labels = list(fresh_variables(series.labels, set(_OWN)).values())
    any_, first, last = (f"{show(series.sample(labels, Variable(value)))} {window}" for value in ("_", "A", "B"))
    reset = f"{atom(_resets(collected, series), *labels, 'P')} {window}"
    length = Operation("-", Variable("E"), Variable("F"))
    half = quotient(length, Operation("*", Constant(2), Operation("-", Variable("N"), Constant(1))))
    zero = quotient(Operation("*", length, Variable("A")), Variable("I"))
    settled = show_term(to_places(Variable("C")))
    known = atom(gain, *labels, "F", "E", "N", "H", "A", "I")
    is_near, is_far = "10*D*(N-1) < 11*(E-F)", "10*D*(N-1) >= 11*(E-F)"
    return f"""
        {known} :- {any_}, F = #min{{ T : @T {any_} }}, E = #max{{ T : @T {any_} }}, F < E,
            N = #count{{ T : @T {any_} }}, C = {show_term(half)}, H = {settled},
            @F {first}, @E {last}, G = #sum{{ P,T : @T {reset}, T > F }}, I = B-A+G.
        {atom(near, *labels, "D")} :- {known}, D = F-now+{points}, {is_near}.
        {atom(near, *labels, "H")} :- {known}, D = F-now+{points}, {is_far}.
        {atom(before, *labels, "S")} :- {atom(near, *labels, "D")}, {known}, I > 0, A >= 0,
            C = {show_term(zero)}, S = min(D,{settled}).
        {atom(before, *labels, "D")} :- {atom(near, *labels, "D")}, {known}, I > 0, A < 0.
        {atom(before, *labels, "D")} :- {atom(near, *labels, "D")}, {known}, I <= 0.
        {atom(after, *labels, "D")} :- {known}, D = now-E, {is_near}.
        {atom(after, *labels, "H")} :- {known}, D = now-E, {is_far}.
        """


def _resets(collected: Collected, series: Series) -> str:
    """A predicate that remembers the value before each reset of the counter, at the time of the reset."""
    key = ("resets", series.metric)
    if key not in collected.known:
        name = collected.names.fresh(f"{series.metric}_reset")
        collected.known[key] = name
        labels = list(fresh_variables(series.labels, set(_OWN)).values())
        now, last = (show(series.sample(labels, Variable(value))) for value in ("V", "P"))
        keys = ", ".join(one.name for one in labels)
        collected.rules += written(f"{atom(name, *labels, 'P')} :- {now}, @T {last} [2 # per {keys}], T < now, V < P.")
        collected.record(Signature(name, len(labels) + 1))
    return collected.known[key]


def _renamed(one: Chosen) -> Chosen:
    """With variables that the rules here do not use."""
    used = [term.name for term in one.labels.values() if isinstance(term, Variable)]
    new = fresh_variables(used, set(_OWN))
    labels: dict[str, Term] = {label: substitute(term, new) for label, term in one.labels.items()}
    return Chosen(labels, tuple(substitute(condition, new) for condition in one.conditions))
