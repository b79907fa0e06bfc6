"""How a program will be evaluated: parts in their order, and for every rule what follows from which change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Origin
from larspark.language.facts import Signature
from larspark.language.printing.printer import show
from larspark.reasoners.interval.display.wording import Wording, numbered, operator_in_words
from larspark.reasoners.interval.engine.arrange import Layer, layers
from larspark.reasoners.interval.lowering.lower import lower
from larspark.reasoners.interval.network import (
    Absence,
    Aggregated,
    Clip,
    Compare,
    Compute,
    CoreRule,
    Kind,
    Match,
    OnTimeline,
)
from larspark.reasoners.interval.planning.ordering import expected_rows
from larspark.reasoners.interval.planning.plan import EVERYWHERE, Functions, PlacedLiteral, Plan
from larspark.reasoners.interval.planning.planning import Plans, plan_network
from larspark.reasoners.interval.planning.statistics import Statistics
from larspark.reasoners.interval.state.dictionary import Dictionary

KINDS = {Match: "join", Absence: "absence", Clip: "window", Compare: "filter", Compute: "compute", OnTimeline: "filter"}


@dataclass(frozen=True)
class StepNote:
    """One literal in its place."""

    kind: str
    text: str
    bound: tuple[int, ...] | None
    """The columns by which a relation is looked up, from 0; None for what looks into no relation."""
    rows: float | None
    """How many rows statistics expect it to find."""

    def value(self) -> dict[str, Any]:
        found: dict[str, Any] = {"kind": self.kind, "text": self.text}
        if self.bound is not None:
            found["bound"] = list(self.bound)
        return found if self.rows is None else found | {"rows": round(self.rows, 2)}

    def __str__(self) -> str:
        return self.text if self.rows is None else f"{self.text}: about {self.rows:,.3g} rows"


@dataclass(frozen=True)
class StartNote:
    """What is done when a relation changes."""

    when: str
    steps: tuple[StepNote, ...]

    def value(self) -> dict[str, Any]:
        return {"when": self.when, "steps": [step.value() for step in self.steps]}


@dataclass(frozen=True)
class RuleNote:
    line: int | None
    """None: not a rule of the program but the reading of a predicate through a window."""
    rule: str
    concludes: str
    starts: tuple[StartNote, ...]

    def value(self) -> dict[str, Any]:
        starts = [start.value() for start in self.starts]
        return {"line": self.line, "rule": self.rule, "concludes": self.concludes, "starts": starts}

    def lines(self) -> Iterator[str]:
        yield f"  line {self.line}: {self.rule}" if self.line is not None else f"  {self.concludes}"
        for start in self.starts:
            yield f"    {start.when}"
            yield from (f"      {step}" for step in start.steps)


@dataclass(frozen=True)
class RelationNote:
    name: str
    columns: int
    indexes: tuple[tuple[int, ...], ...]
    revocable: bool
    """Rows may be taken back: they hang on negation, an aggregate or a tuple window."""

    def value(self) -> dict[str, Any]:
        indexes = [list(columns) for columns in self.indexes]
        return {"name": self.name, "columns": self.columns, "indexes": indexes, "revocable": self.revocable}

    def __str__(self) -> str:
        taken = ", may be taken back" if self.revocable else ""
        return f"{self.name}: {'; '.join(['its key', *map(numbered, self.indexes)])}{taken}"


@dataclass(frozen=True)
class PartNote:
    """What is evaluated together."""

    relations: tuple[str, ...]
    stratum: int | None
    recursive: bool
    rules: tuple[RuleNote, ...]
    operators: tuple[str, ...]

    def value(self) -> dict[str, Any]:
        return {
            "relations": list(self.relations),
            "stratum": self.stratum,
            "recursive": self.recursive,
            "rules": [rule.value() for rule in self.rules],
            "operators": list(self.operators),
        }


@dataclass(frozen=True)
class PlanDescription:
    parts: tuple[PartNote, ...]
    """In the order of evaluation."""
    relations: tuple[RelationNote, ...]
    statistics: Statistics | None
    """What the order of joins was chosen by."""

    def value(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        sizes = self.statistics
        return {
            "parts": [part.value() for part in self.parts],
            "relations": [note.value() for note in self.relations],
            "statistics": None if sizes is None else {name: size.value() for name, size in sizes.items()},
        }

    def lines(self) -> Iterator[str]:
        """As text."""
        for number, part in enumerate(self.parts, 1):
            stratum = f", stratum {part.stratum}" if part.stratum is not None else ""
            recursive = ", recursive" if part.recursive else ""
            yield f"part {number}{stratum}{recursive}: {', '.join(part.relations)}"
            yield from (f"  {operator}" for operator in part.operators)
            for rule in part.rules:
                yield from rule.lines()
        yield "kept, with indexes"
        yield from (f"  {note}" for note in self.relations)
        if self.statistics is not None:
            yield "sizes that the order of joins was chosen by"
            for name, size in self.statistics.items():
                distinct = f", distinct per column {_counts(size.distinct)}" if size.distinct else ""
                yield f"  {name}: {size.rows:,.0f} rows{distinct}"


def describe(
    analysis: Analysis, background: Iterable[Signature] = (), statistics: Statistics | None = None
) -> PlanDescription:
    """The plan of a program that the interval reasoner accepts."""
    analysis.require("interval")
    dictionary = Dictionary()
    network = lower(analysis, dictionary, 0, frozenset(background) | analysis.background)
    plans = plan_network(network, Functions(), statistics)
    describer = _Describer(analysis, plans, Wording(dictionary), statistics)
    parts = [describer.part(layer) for layer in layers(network) if layer.rules or layer.operators]
    relations = tuple(
        RelationNote(relation.name, relation.width, tuple(relation.indexes), relation.revocable)
        for relation in network.relations
        if relation.stored and any(relation.name in part.relations for part in parts)
    )
    return PlanDescription(tuple(parts), relations, statistics)


class _Describer:
    def __init__(self, analysis: Analysis, plans: Plans, words: Wording, statistics: Statistics | None) -> None:
        self._plans, self._words, self._statistics = plans, words, statistics
        self._texts = {rule.origin: show(rule) for rule in analysis.program.rules}
        strata = enumerate(analysis.strata or (), 1)
        self._strata: Mapping[Signature, int] = {name: number for number, names in strata for name in names}

    def part(self, layer: Layer) -> PartNote:
        found = [node.values.values() for node in layer.operators if isinstance(node, Aggregated)]
        relations = sorted(layer.relations.union(*found), key=lambda relation: relation.number)
        derived = [one.signature for one in relations if one.kind in (Kind.NOW, Kind.PINNED) and one.signature]
        return PartNote(
            tuple(relation.name for relation in relations),
            max((self._strata[one] for one in derived if one in self._strata), default=None),
            layer.recursive,
            tuple(map(self.rule, layer.rules)),
            tuple(map(operator_in_words, layer.operators)),
        )

    def rule(self, rule: CoreRule) -> RuleNote:
        origin: Origin | None = rule.origin
        concludes = self._words.row(rule.head, rule.columns)
        starts = tuple(map(self.start, self._plans.following[rule]))
        return RuleNote(origin.line if origin else None, self._texts.get(origin, concludes), concludes, starts)

    def start(self, plan: Plan) -> StartNote:
        if plan.trigger is EVERYWHERE or plan.start is None:
            when = "at the start"
        else:
            row = self._words.row(plan.start.relation, plan.start.columns)
            when = f"when {row} {'ends or begins, being negated' if plan.negated else 'changes'}"
        return StartNote(when, tuple(map(self.step, plan.steps)))

    def step(self, step: PlacedLiteral) -> StepNote:
        kind, text = KINDS[type(step.literal)], self._words.step(step)
        if not isinstance(step.literal, Match | Absence):
            return StepNote(kind, text, None, None)
        known = self._statistics is not None and step.literal.relation.name in self._statistics
        rows = expected_rows(step.literal, step.bound, self._statistics or {}) if known else None
        return StepNote(kind, text, step.bound, rows)


def _counts(counts: Iterable[float]) -> str:
    return ", ".join(f"{count:,.0f}" for count in counts)
