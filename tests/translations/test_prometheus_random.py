"""Random alerting rules over random series: the translation fires what a server would, at every time point."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.tree import Duration
from larspark.translations.prometheus.translate import translate
from support import promql
from support.promql import Expression, Labels, Match, Sample, Undefined
from support.tiers import partly
from support.translated import outputs

END = 14
"""The last time point; every one from 0 on is an evaluation."""
SERIES = {"x": ("job", "inst"), "y": ("job",), "c": ("job", "inst"), "z": ()}
VALUES = {"job": ("a", "b"), "inst": ("p", "q")}
DECLARED = "".join(f"# series {metric}({', '.join(labels)})\n" for metric, labels in SERIES.items())
MINUTE = Duration(1, "min")


@dataclass(frozen=True)
class Alert:
    body: Expression
    pending: int
    keep: int
    interval: int

    @property
    def text(self) -> str:
        lines = ["groups:", "- name: g", "  interval: " + f"{self.interval}m" if self.interval > 1 else "", "  rules:"]
        lines += ["  - alert: TheAlert", f"    expr: {self.body.text}"]
        lines += [f"    for: {self.pending}m"] if self.pending else []
        lines += [f"    keep_firing_for: {self.keep}m"] if self.keep else []
        return DECLARED + "\n".join(filter(None, lines)) + "\n"


class Builder:
    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def one_of(self, *options: object) -> object:
        return self.draw(st.sampled_from(options))

    def matchers(self, metric: str) -> tuple[tuple[str, str, str], ...]:
        found = []
        for name in SERIES[metric]:
            if self.draw(st.integers(0, 2)) == 0:
                operator = str(self.one_of("=", "!=", "=~", "!~"))
                one, other = VALUES[name]
                value = self.one_of(one, f"{one}|{other}", f"{one}.*") if "~" in operator else self.one_of(one, other)
                found.append((name, operator, str(value)))
        return tuple(found)

    def metric(self) -> str:
        return str(self.one_of("x", "x", "y", "c", "z"))

    def leaf(self) -> Expression:
        metric = self.metric()
        matchers = self.matchers(metric)
        match self.one_of("instant", "instant", "range", "rate", "absent"):
            case "instant":
                return promql.instant(metric, matchers)
            case "absent":
                return promql.absent(metric, matchers, self.draw(st.sampled_from([None, 2, 4])))
            case "rate":
                metric = str(self.one_of("c", metric))
                function = str(self.one_of("rate", "increase"))
                return promql.over_time(function, metric, self.matchers(metric), self.draw(st.integers(3, 7)))
        function = self.one_of("avg", "max", "min", "sum", "count", "last")
        return promql.over_time(f"{function}_over_time", metric, matchers, self.draw(st.integers(1, 5)))

    def match(self, grouped: bool = True) -> Match:
        kind = self.one_of("plain", "on", "on", "ignoring", "left")
        match kind:
            case "on":
                return Match(on=self.draw(st.sampled_from([("job",), ("job", "inst"), ("inst",), ()])))
            case "ignoring":
                return Match(ignoring=("inst",))
            case "left" if grouped:
                return Match(on=("job",), group_left=True, included=self.draw(st.sampled_from([(), ("inst",)])))
        return Match()

    def vector(self, depth: int) -> Expression:
        if depth == 0:
            return self.leaf()
        match self.one_of("leaf", "sum", "number", "vector", "set", "compare"):
            case "leaf":
                return self.leaf()
            case "sum":
                function = str(self.one_of("sum", "avg", "min", "max", "count"))
                labels = self.draw(st.sampled_from([("job",), ("inst",), ("job", "inst"), ()]))
                return promql.aggregate(function, labels, bool(self.one_of(True, False)), self.vector(depth - 1))
            case "number":
                operator = str(self.one_of("+", "-", "*", "/"))
                number = Fraction(str(self.one_of("2", "0.5", "-1.25", "10")))
                return promql.with_number(
                    self.vector(depth - 1), operator, number, False, bool(self.one_of(True, False))
                )
            case "vector":
                operator = str(self.one_of("+", "-", "*", "/", ">", "<=", "==", "!="))
                left, right = self.vector(depth - 1), self.vector(depth - 1)
                as_number = operator in promql.COMPARISONS and bool(self.one_of(True, False))
                return promql.with_vector(left, operator, right, self.match(), as_number)
            case "set":
                operator = str(self.one_of("and", "or", "unless"))
                left, right = self.vector(depth - 1), self.vector(depth - 1)
                return promql.set_operation(left, operator, right, self.match(grouped=False))
        return self.comparison(depth - 1)

    def comparison(self, depth: int) -> Expression:
        operator = str(self.one_of("==", "!=", ">", "<", ">=", "<="))
        number = Fraction(str(self.one_of("1", "2", "0.77", "2.31", "0.013")))
        as_number, left = bool(self.draw(st.integers(0, 4)) == 0), bool(self.draw(st.integers(0, 4)) == 0)
        return promql.with_number(self.vector(depth), operator, number, as_number, left)


@st.composite
def alerts(draw: st.DrawFn) -> Alert:
    builder = Builder(draw)
    body = builder.comparison(draw(st.integers(0, 2))) if draw(st.booleans()) else builder.vector(2)
    interval = draw(st.sampled_from([1, 1, 1, 2, 3]))
    return Alert(body, draw(st.sampled_from([0, 0, 1, 2, 3, 4])), draw(st.sampled_from([0, 0, 1, 2, 3])), interval)


@st.composite
def streams(draw: st.DrawFn) -> list[Sample]:
    found: dict[tuple[int, str, Labels], Sample] = {}
    places = st.tuples(st.sampled_from(["x", "x", "y", "c", "c", "z"]), st.integers(0, END))
    for metric, time in draw(st.lists(places, min_size=6, max_size=22)):
        labels = frozenset((name, draw(st.sampled_from(VALUES[name]))) for name in SERIES[metric])
        value = draw(st.integers(0, 9)) if metric == "c" else draw(st.integers(-1, 4))
        found[time, metric, labels] = Sample(time, metric, labels, Fraction(value))
    return sorted(found.values(), key=lambda one: one.time)


def arrivals(samples: list[Sample]) -> list[tuple[int, Fact]]:
    return [
        (one.time, Fact(one.metric, (*(promql.label(one.labels, name) for name in SERIES[one.metric]), int(one.value))))
        for one in samples
    ]


def check(alert: Alert, samples: list[Sample], reasoner: str | None) -> None:
    try:
        expected = promql.firing(alert.body, samples, END, alert.pending, alert.keep, alert.interval)
    except Undefined:
        assume(False)
        raise
    try:
        program, _ = translate(alert.text, "file", MINUTE)
    except Rejected as rejected:
        if "never has an element" not in rejected.diagnostics[0].message or any(expected):
            raise
        return
    columns = next(d.columns[0] if d.columns else () for d in program.directives if type(d).__name__ == "Show")
    for now, found in enumerate(outputs(program, arrivals(samples), END, reasoner)):
        shown = [fact for fact in found if fact.predicate == "the_alert"]
        labels = {frozenset((n, str(v)) for n, v in zip(columns, one.args, strict=True) if v != "") for one in shown}
        assert labels == expected[now], now


OPTIONS = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


@partly(320, OPTIONS)
@given(alerts(), streams())
def test_alerts_fire_as_on_a_server(alert: Alert, samples: list[Sample]) -> None:
    check(alert, samples, None)


@partly(60, OPTIONS)
@given(alerts(), streams())
def test_intervals_are_those_of_the_judge(alert: Alert, samples: list[Sample]) -> None:
    check(alert, samples, "interval")
