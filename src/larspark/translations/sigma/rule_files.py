"""Files of Sigma rules: detections and correlations, one in each document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from larspark.diagnostics import Diagnostic, Rejected
from larspark.translations.compound_durations import milliseconds
from larspark.translations.located_yaml import YamlNode, documents
from larspark.translations.reading import REPEATED_NAME, SYNTAX, UNKNOWN_NAME, UNSUPPORTED
from larspark.translations.sigma.searches import Test, detection

Kind: TypeAlias = Literal["event_count", "value_count", "temporal", "temporal_ordered"]
_KINDS: tuple[Kind, ...] = ("event_count", "value_count", "temporal", "temporal_ordered")
_COMPARED = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "eq": "=", "neq": "!="}


@dataclass(frozen=True)
class Detection:
    """A rule about single events."""

    names: tuple[str, ...]
    """How others refer to it; the first is its own."""
    event: str
    test: Test
    place: YamlNode


@dataclass(frozen=True)
class Correlation:
    """A rule about events within a time span."""

    names: tuple[str, ...]
    kind: Kind
    rules: tuple[str, ...]
    group: tuple[str, ...]
    aliases: Mapping[str, Mapping[str, str]]
    """For a name in `group-by`, the field of each rule."""
    milliseconds: int
    compared: tuple[tuple[str, int], ...]
    """What is asked of the number: operator and bound."""
    field: str
    """What `value_count` counts."""
    generate: bool
    place: YamlNode


SigmaRule: TypeAlias = Detection | Correlation

_ABOUT = ("title", "name", "id", "status", "description", "author", "date", "modified", "references", "tags", "level")
_ALSO = ("falsepositives", "related", "license", "fields", "scope", "taxonomy", "detection", "logsource", "correlation")
_KNOWN = {**dict.fromkeys((*_ABOUT, *_ALSO), ""), "action": "Write one rule in each document."}
_CORRELATION = dict.fromkeys(
    ("type", "rules", "group-by", "timespan", "condition", "aliases", "generate"),
    "",
)


def read(text: str, file: str, events: Mapping[str, tuple[str, ...]]) -> tuple[SigmaRule, ...]:
    """The rules of a file; all its problems at once."""
    problems: list[Diagnostic] = []
    found: list[SigmaRule] = []
    for document in documents(text, file):
        try:
            rule = _rule(document, events)
            twice = {name for one in found for name in one.names} & set(rule.names)
            if twice:
                message = f"There are two rules `{min(twice)}`."
                raise document.rejected(REPEATED_NAME, message, "Give one of them another name.")
            found.append(rule)
        except Rejected as rejected:
            problems += rejected.diagnostics
    if problems:
        raise Rejected(problems)
    return tuple(found)


def _rule(place: YamlNode, events: Mapping[str, tuple[str, ...]]) -> SigmaRule:
    fields = place.fields("a rule", _KNOWN)
    names = tuple(fields[key].text("A name") for key in ("name", "title", "id") if key in fields)
    if not names:
        raise place.rejected(SYNTAX, "The rule has no name.", "Write `name: …` or `title: …`.")
    if "correlation" in fields:
        return _correlation(names, fields["correlation"])
    if "detection" not in fields or "logsource" not in fields:
        hint = "Write `logsource:` and `detection:`, or `correlation:`."
        raise place.rejected(SYNTAX, "The rule says neither what it finds nor what it correlates.", hint)
    event = _event(fields["logsource"], events)
    return Detection(names, event, detection(fields["detection"], events[event]), place)


def _event(place: YamlNode, events: Mapping[str, tuple[str, ...]]) -> str:
    """The predicate of the events of a log source: the most special of its names that is declared."""
    parts = place.entries("A log source")
    named = [parts[key].text("A log source") for key in ("service", "category", "product") if key in parts]
    found = next((name for name in named if name in events), None)
    if found is None:
        name = named[0] if named else "events"
        hint = f"Say them in a comment: `# event {name}(User, EventID)`."
        raise place.rejected(UNKNOWN_NAME, "The fields of this log source are not declared.", hint)
    return found


def _correlation(names: tuple[str, ...], place: YamlNode) -> Correlation:
    fields = place.fields("a correlation", _CORRELATION)
    for wanted in ("type", "rules", "timespan"):
        if wanted not in fields:
            raise place.rejected(SYNTAX, f"The correlation has no `{wanted}`.", f"Write `{wanted}: …`.")
    written = fields["type"].text("`type`")
    kind = next((one for one in _KINDS if one == written), None)
    if kind is None:
        message = f"The correlation `{written}` has no translation."
        raise fields["type"].rejected(UNSUPPORTED, message, f"There are {', '.join(_KINDS)}.")
    span = milliseconds(fields["timespan"].text("`timespan`"))
    if not span:
        raise fields["timespan"].rejected(SYNTAX, "This is no time span.", "Write `5m` or `1h`.")
    counts = kind in ("event_count", "value_count")
    if ("condition" in fields) != counts:
        message = f"The correlation `{kind}` {'needs a' if counts else 'has no'} condition."
        hint = "Write `condition: {gte: 10}`." if counts else "Leave it out: all rules have to match."
        raise fields.get("condition", place).rejected(SYNTAX if counts else UNSUPPORTED, message, hint)
    compared, field = _condition(fields["condition"], kind) if counts else ((), "")
    return Correlation(
        names,
        kind,
        _texts(fields["rules"], "`rules`"),
        _texts(fields["group-by"], "`group-by`") if "group-by" in fields else (),
        _aliases(fields["aliases"]) if "aliases" in fields else {},
        span,
        compared,
        field,
        "generate" in fields and fields["generate"].scalar("`generate`") is True,
        place,
    )


def _condition(place: YamlNode, kind: Kind) -> tuple[tuple[tuple[str, int], ...], str]:
    compared, field = [], ""
    for name, value in place.entries("A condition").items():
        if name == "field" and kind == "value_count":
            field = value.text("`field`")
        elif name in _COMPARED and isinstance(number := value.scalar("A number"), int):
            compared.append((_COMPARED[name], number))
        else:
            raise value.rejected(UNSUPPORTED, f"The condition `{name}` has no translation.", "Write `gte: 10`.")
    if not compared or (kind == "value_count") != bool(field):
        hint = "Write `condition: {gte: 10}`, for value_count also `field: User`."
        raise place.rejected(SYNTAX, "The condition does not say what to compare.", hint)
    return tuple(compared), field


def _texts(place: YamlNode, what: str) -> tuple[str, ...]:
    if place.is_text():
        return (place.text(what),)
    return tuple(one.text(what) for one in place.elements(what))


def _aliases(place: YamlNode) -> Mapping[str, Mapping[str, str]]:
    return {
        name: {rule: field.text("A field") for rule, field in one.entries("An alias").items()}
        for name, one in place.entries("`aliases`").items()
    }
