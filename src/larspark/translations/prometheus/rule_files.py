"""Rule files of Prometheus: groups of rules in YAML, as written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from larspark.diagnostics import Diagnostic, Rejected
from larspark.translations.compound_durations import milliseconds
from larspark.translations.located_yaml import YamlNode, documents
from larspark.translations.prometheus.expressions import Expression
from larspark.translations.prometheus.parser import parse
from larspark.translations.reading import SYNTAX, UNSUPPORTED


@dataclass(frozen=True)
class WrittenRule:
    """An alerting or a recording rule; durations are in milliseconds."""

    name: str
    is_alert: bool
    expression: Expression
    place: YamlNode
    labels: Mapping[str, str]
    pending: int = 0
    """`for:`"""
    keep: int = 0
    """`keep_firing_for:`"""


@dataclass(frozen=True)
class RuleGroup:
    """Rules that are evaluated one after the other, every `interval` milliseconds (None: as the server says)."""

    rules: tuple[WrittenRule, ...]
    interval: int | None
    place: YamlNode


_GROUP = {
    "name": "",
    "rules": "",
    "interval": "",
    "labels": "Write the labels into each rule.",
    "query_offset": "Leave it out: data is evaluated up to the present.",
    "limit": "Leave it out.",
}
_RULE = {
    "alert": "",
    "record": "",
    "expr": "",
    "for": "",
    "keep_firing_for": "",
    "labels": "",
    "annotations": "",
}


def read(text: str, file: str) -> tuple[RuleGroup, ...]:
    """The groups of a rule file; all its problems at once."""
    problems: list[Diagnostic] = []
    groups = []
    for document in documents(text, file):
        fields = document.fields("a rule file", {"groups": ""})
        if "groups" not in fields:
            raise document.rejected(SYNTAX, "The file has no groups of rules.", "Begin with `groups:`.")
        groups += [_group(one, problems) for one in fields["groups"].elements("`groups`")]
    if problems:
        raise Rejected(problems)
    return tuple(groups)


def _group(place: YamlNode, problems: list[Diagnostic]) -> RuleGroup:
    fields = place.fields("a group", _GROUP)
    rules = list(_rules(fields["rules"], problems)) if "rules" in fields else []
    interval = _duration(fields["interval"]) if "interval" in fields else None
    if interval == 0:
        raise fields["interval"].rejected(SYNTAX, "Rules cannot be evaluated every 0 seconds.", "Write `30s`.")
    return RuleGroup(tuple(rules), interval, fields.get("interval", place))


def _rules(place: YamlNode, problems: list[Diagnostic]) -> Iterator[WrittenRule]:
    for one in place.elements("`rules`"):
        try:
            yield _rule(one)
        except Rejected as rejected:
            problems += rejected.diagnostics


def _rule(place: YamlNode) -> WrittenRule:
    fields = place.fields("a rule", _RULE)
    if "expr" not in fields or ("alert" in fields) == ("record" in fields):
        hint = "Write `alert: Name` (or `record: name`) and `expr: …`."
        raise place.rejected(SYNTAX, "A rule has an expression and a name, that of an alert or of a record.", hint)
    is_alert = "alert" in fields
    if not is_alert and fields.keys() & {"for", "keep_firing_for", "annotations"}:
        raise place.rejected(SYNTAX, "A recording rule has no `for` and no annotations.", "Leave them out.")
    name = fields["alert" if is_alert else "record"]
    return WrittenRule(
        name.text("A name"),
        is_alert,
        parse(fields["expr"].padded("`expr`"), place.file),
        name,
        _labels(fields["labels"]) if "labels" in fields else {},
        _duration(fields["for"]) if "for" in fields else 0,
        _duration(fields["keep_firing_for"]) if "keep_firing_for" in fields else 0,
    )


def _labels(place: YamlNode) -> Mapping[str, str]:
    found = {}
    for name, value in place.entries("`labels`").items():
        found[name] = value.text("The value of a label")
        if "{{" in found[name]:
            hint = "Give the label a fixed value; values of series are columns of the answer."
            raise value.rejected(UNSUPPORTED, "Templates of labels have no translation.", hint)
    return found


def _duration(place: YamlNode) -> int:
    found = milliseconds(place.text("A duration"))
    if found is None:
        raise place.rejected(SYNTAX, f"`{place.text('A duration')}` is not a duration.", "Write `5m` or `1h30m`.")
    return found
