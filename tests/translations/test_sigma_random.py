"""Random Sigma correlations over random events, beside an evaluation by the words of their specification."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise, product

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from larspark.language.facts import Fact
from larspark.translations.sigma.translate import translate
from support.tiers import partly
from support.translated import outputs

END = 12
FIELDS = ("kind", "user", "host")
VALUES = {"kind": (1, 2, 3), "user": ("ann", "anton", "bo"), "host": ("h", "k")}

Event = dict[str, object]
Test = Callable[[Event], bool]


@dataclass(frozen=True)
class Detection:
    name: str
    text: str
    finds: Test


@dataclass(frozen=True)
class Correlation:
    kind: str
    rules: tuple[Detection, ...]
    group: tuple[str, ...]
    span: int
    operator: str
    bound: int
    field: str
    aliased: bool
    """Whether the first key has another name in the correlation."""

    @property
    def text(self) -> str:
        documents = ["# event log(kind, user, host)\n" + self.rules[0].text, *(rule.text for rule in self.rules[1:])]
        keys = list(self.group)
        lines = ["title: Found", "correlation:", f"  type: {self.kind}", f"  timespan: {self.span}s"]
        if self.aliased and keys:
            inside = ", ".join(f"{name}: {keys[0]}" for name in dict.fromkeys(rule.name for rule in self.rules))
            lines.append(f"  aliases: {{who: {{{inside}}}}}")
            keys[0] = "who"
        lines.append(f"  rules: [{', '.join(rule.name for rule in self.rules)}]")
        lines += [f"  group-by: [{', '.join(keys)}]"] if keys else []
        if "count" in self.kind:
            field = f"field: {self.field}, " if self.kind == "value_count" else ""
            lines.append(f"  condition: {{{field}{self.operator}: {self.bound}}}")
        return "\n---\n".join([*documents, "\n".join(lines)])

    def found(self, events: list[tuple[int, Event]], now: int) -> set[tuple[object, ...]]:
        """The groups for which the correlation holds at a time."""
        within = [(time, event) for time, event in events if now - self.span <= time <= now]
        groups = {tuple(event[key] for key in self.group) for _, event in within}
        return {group for group in groups if self._holds([e for e in within if self._key(e[1]) == group])}

    def _key(self, event: Event) -> tuple[object, ...]:
        return tuple(event[key] for key in self.group)

    def _holds(self, events: list[tuple[int, Event]]) -> bool:
        by_rule = [[one for one in events if rule.finds(one[1])] for rule in self.rules]
        if self.kind == "temporal":
            return all(by_rule)
        if self.kind == "temporal_ordered":
            return any(all(one[0] < other[0] for one, other in pairwise(chain)) for chain in product(*by_rule))
        if not any(by_rule):
            return False
        if self.kind == "event_count":
            distinct = {
                (rule.name, time, *sorted(map(str, event.items())))
                for rule, found in zip(self.rules, by_rule, strict=True)
                for time, event in found
            }
            number = len(distinct)
        else:
            number = len({event[self.field] for found in by_rule for _, event in found})
        return {
            "gte": number >= self.bound,
            "gt": number > self.bound,
            "lt": number < self.bound,
            "lte": number <= self.bound,
            "eq": number == self.bound,
        }[self.operator]


@st.composite
def searches(draw: st.DrawFn, name: str) -> tuple[str, Test]:
    """A search: a mapping of fields, in YAML, and what it finds."""
    lines, found = [], []
    for field in draw(st.lists(st.sampled_from(FIELDS), min_size=1, max_size=2, unique=True)):
        values = VALUES[field]
        match draw(st.sampled_from(["is", "list", "special"])):
            case "is":
                value = draw(st.sampled_from(values))
                lines.append(f"    {field}: {value}")
                found.append(lambda event, field=field, value=value: event[field] == value)
            case "list":
                some = draw(st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True))
                lines.append(f"    {field}: [{', '.join(map(str, some))}]")
                found.append(lambda event, field=field, some=some: event[field] in some)
            case _ if field == "kind":
                lines.append("    kind|gte: 2")
                found.append(lambda event: event["kind"] >= 2)
            case _:
                prefix = str(values[0])[:2]
                written = draw(st.sampled_from([f"{field}|startswith: {prefix}", f"{field}: '{prefix}*'"]))
                lines.append(f"    {written}")
                found.append(lambda event, field=field, prefix=prefix: str(event[field]).startswith(prefix))
    return "\n".join([f"  {name}:", *lines]), lambda event: all(one(event) for one in found)


@st.composite
def detections(draw: st.DrawFn, name: str) -> Detection:
    first, one = draw(searches("sel_a"))
    second, other = draw(searches("sel_b"))
    conditions: dict[str, Test] = {
        "sel_a": one,
        "sel_a and sel_b": lambda e: one(e) and other(e),
        "sel_a or sel_b": lambda e: one(e) or other(e),
        "sel_a and not sel_b": lambda e: one(e) and not other(e),
        "not (sel_a and sel_b)": lambda e: not (one(e) and other(e)),
        "1 of sel_*": lambda e: one(e) or other(e),
        "all of them": lambda e: one(e) and other(e),
        "not 1 of them or sel_b": lambda e: not (one(e) or other(e)) or other(e),
    }
    condition = draw(st.sampled_from(sorted(conditions)))
    lines = [f"title: {name}", f"name: {name}", "logsource: {product: log}", "detection:", first, second]
    return Detection(name, "\n".join([*lines, f"  condition: {condition}"]), conditions[condition])


@st.composite
def correlations(draw: st.DrawFn) -> Correlation:
    kind = draw(st.sampled_from(["event_count", "value_count", "temporal", "temporal_ordered"]))
    names = ["one", "two", "three"][: draw(st.integers(1, 3))]
    rules = tuple(draw(detections(name)) for name in names)
    group = tuple(draw(st.lists(st.sampled_from(FIELDS), max_size=2, unique=True)))
    operator = draw(st.sampled_from(["gte", "gte", "gt", "lt", "lte", "eq"]))
    return Correlation(
        kind,
        rules,
        group,
        draw(st.integers(1, 6)),
        operator,
        draw(st.integers(1, 3)),
        draw(st.sampled_from(FIELDS)),
        draw(st.booleans()),
    )


events = st.lists(
    st.tuples(st.integers(0, END), st.fixed_dictionaries({f: st.sampled_from(VALUES[f]) for f in FIELDS})),
    min_size=3,
    max_size=14,
).map(lambda found: sorted(found, key=lambda one: one[0]))

OPTIONS = settings(suppress_health_check=[HealthCheck.too_slow])


@partly(320, OPTIONS)
@given(correlations(), events)
def test_correlations_hold_as_specified(correlation: Correlation, data: list[tuple[int, Event]]) -> None:
    program, _ = translate(correlation.text, "file")
    arrivals = [(time, Fact("log", tuple(event[field] for field in FIELDS))) for time, event in data]
    for now, found in enumerate(outputs(program, arrivals, END)):
        assert {one.args for one in found if one.predicate == "found"} == correlation.found(data, now)


@partly(60, OPTIONS)
@given(correlations(), events)
def test_arrivals_tell_equal_events_apart(correlation: Correlation, data: list[tuple[int, Event]]) -> None:
    program, changes = translate(correlation.text, "file", numbered=True)
    assert "W802" not in {change.code for change in changes}
    numbered = [(place, {**event, "arrival": place}) for place, (_, event) in enumerate(data)]
    arrivals = [
        (time, Fact("log", (*(event[field] for field in FIELDS), place))) for place, (time, event) in enumerate(data)
    ]
    for now, found in enumerate(outputs(program, arrivals, END)):
        shown = {one.args for one in found if one.predicate == "found"}
        inside = [(time, row) for (time, _), row in zip(data, numbered, strict=True)]
        if correlation.kind == "temporal_ordered":
            seen = [row for time, row in inside if now - correlation.span <= time <= now]
            assert shown == _in_arrival_order(correlation, seen)
        else:
            assert shown == correlation.found([(time, event) for time, (_, event) in inside], now)


def _in_arrival_order(correlation: Correlation, rows: list[tuple[int, Event]]) -> set[tuple[object, ...]]:
    found = set()
    for chain in product(*[[one for one in rows if rule.finds(one[1])] for rule in correlation.rules]):
        places = [place for place, _ in chain]
        groups = {tuple(event[key] for key in correlation.group) for _, event in chain}
        if len(groups) == 1 and all(a < b for a, b in pairwise(places)):
            found |= groups
    return found
