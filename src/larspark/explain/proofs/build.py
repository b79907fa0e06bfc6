"""From the derivations of an atom to the nodes of one proof."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from larspark.explain.evaluations.history import Sourced, joined, spans_of
from larspark.explain.evaluations.world import AtomSource, World
from larspark.explain.phrasing import Phrasing
from larspark.explain.proofs.cone import Cone, Derivation
from larspark.explain.proofs.evidence import (
    Absent,
    AggregateEvidence,
    Both,
    Compared,
    Either,
    Evidence,
    HoldingAtom,
    Plain,
    Quantified,
    Seen,
)
from larspark.explain.proofs.nearest import nearest
from larspark.explain.proofs.proof import (
    Proof,
    ProofNode,
    Question,
    RuleName,
    bindings_json,
    input_details,
    instance_text,
    spans_json,
    value_json,
)
from larspark.language.facts import Fact
from larspark.language.printing.printer import show
from larspark.language.tree import Formula, Not, Rule, Windowed
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.structures import Binding

DEPTH = 3
"""Rules above each other that are shown."""


class Text(NamedTuple):
    """The text of a node, and what people are told where times are timestamps."""

    plain: str
    told: str = ""


NO_TEXT = Text("")


def proofs(world: World, question: Question, count: int = 1, depth: int | None = DEPTH) -> list[Proof]:
    """Up to so many proofs that differ in their last step, the lowest first; none if the atom does not hold."""
    return proofs_in(Cone(world, (question.point, question.fact), count), question, count, depth)


def proofs_in(cone: Cone, question: Question, count: int, depth: int | None) -> list[Proof]:
    """The same where the derivations are known."""
    world, root = cone.world, (question.point, question.fact)
    match world.source(root):
        case None:
            return []
        case AtomSource.RULE:
            derivations = [one for one in cone.derivations[root] if cone.height_of(one) < float("inf")]
            return [
                _Builder(world, cone, {root: one}, depth).proof(question, root, len(derivations) - 1)
                for one in derivations[:count]
            ]
        case _:
            return [_Builder(world, cone, {}, depth).proof(question, root, 0)]


@dataclass
class _Builder:
    world: World
    cone: Cone
    given: dict[TimedFact, Derivation]
    """Derivations that are to be shown, instead of the lowest ones."""
    depth: int | None
    nodes: list[ProofNode | None] = field(default_factory=list)
    known: dict[object, int] = field(default_factory=dict)
    """The node of every atom that has one."""
    levels: dict[TimedFact, int] = field(default_factory=dict)
    cut: list[int] = field(default_factory=list)

    def proof(self, question: Question, root: TimedFact, others: int) -> Proof:
        self._find_levels(root)
        self.held(root)
        nodes = tuple(node for node in self.nodes if node is not None)
        setting = self.world.setting
        return Proof(question, setting.program, nodes, others, tuple(self.cut), words=self._words)

    def derivation(self, timed: TimedFact) -> Derivation:
        return self.given.get(timed) or self.cone.derivations[timed][0]

    def _find_levels(self, root: TimedFact) -> None:
        """On which level each atom is met first."""
        row, level = [root], 1
        while row:
            new = [timed for timed in dict.fromkeys(row) if timed not in self.levels and timed in self.cone.derivations]
            self.levels |= dict.fromkeys(new, level)
            row = [one for timed in new for one in self.cone.used(self.derivation(timed).body)]
            level += 1

    # -- nodes -------------------------------------------------------------------------------------

    def _reserve(self) -> int:
        self.nodes.append(None)
        return len(self.nodes) - 1

    def _put(self, place: int, kind: str, text: Text = NO_TEXT, premises: Sequence[int] = (), **details: Any) -> int:
        self.nodes[place] = ProofNode(place, kind, text.plain, tuple(premises), details, text.told)
        return place

    def _said(self, fact: Fact, time: int) -> dict[str, Any]:
        """The sentence of an atom, if there is one."""
        found = self._words.sentence(fact, time)
        return {} if found is None else {"words": found}

    def held(self, timed: TimedFact) -> int:
        """The node of an atom."""
        if timed in self.known:
            return self.known[timed]
        source = self.world.source(timed)
        if source is AtomSource.INPUT:
            return self._arrivals([timed])[0]
        if source is AtomSource.RECORDED:
            return self._recorded([timed])
        if source is AtomSource.HELD:
            return self._held_on([timed])
        if source is AtomSource.BACKGROUND:
            return self._background(timed[1])
        place = self.known[timed] = self._reserve()
        return self._rule(place, timed)

    def _background(self, fact: Fact) -> int:
        if fact not in self.known:
            place = self.known[fact] = self._reserve()
            self._put(place, "background", atom=str(fact), **self._said(fact, self.world.time))
        return self.known[fact]

    def _rule(self, place: int, timed: TimedFact) -> int:
        time, fact = timed
        derivation = self.derivation(timed)
        setting = self.world.setting
        written = setting.as_written(derivation.rule)
        details: dict[str, Any] = {
            "atom": str(fact),
            "at": [time, time],
            "rule": RuleName.of(setting.program, derivation.rule).as_json(),
            "bindings": bindings_json(derivation.binding),
            **self._said(fact, time),
        }
        if derivation.chosen:
            details["chosen"] = True
        premises: list[int] = []
        if self.depth is not None and self.levels[timed] > self.depth:
            details["cut"] = True
            self.cut.append(place)
        else:
            texts = self._texts(derivation, written)
            premises = [self.literal(found, text) for found, text in zip(derivation.body, texts, strict=True)]
        values = self._words.values(derivation.rule.body, derivation.binding)
        return self._put(place, "rule", Text(setting.text_of(derivation.rule), values), premises, **details)

    def _texts(self, derivation: Derivation, written: Rule) -> list[Text]:
        body, texts = derivation.rule.body, list[Text]()
        for literal, found in zip(written.body, derivation.body, strict=True):
            match found:
                case Compared(formula, left, right):
                    texts.append(Text(show(literal), self._words.compared(body, formula, (left, right))))
                case AggregateEvidence():
                    texts.append(Text(show(literal)))
                case _:
                    texts.append(self._text(body, literal, derivation.binding))
        return texts

    def _text(self, body: Sequence[Formula], literal: Formula, binding: Binding) -> Text:
        words = self._words
        told = instance_text(literal, words.binding(body, binding)) if words.stamped else ""
        return Text(instance_text(literal, binding), told)

    @property
    def _words(self) -> Phrasing:
        return self.world.setting.words

    def _arrivals(self, timed: Sequence[TimedFact]) -> list[int]:
        """One node for all arrivals of an atom in a file."""
        key = tuple(timed)
        first = self.known.get(key)
        if first is not None:
            return [first]
        found = [one for each in timed for one in self.world.arrivals_of(each)]
        places: list[int] = []
        for _, group in groupby(sorted(found, key=_file), _file):
            place, own = self._reserve(), list(group)
            fact = timed[0][1]
            details = {**input_details(fact, own), **self._said(fact, own[0].time)}
            places.append(self._put(place, "input", **details))
        if len(places) == 1:
            self.known[key] = places[0]
            if len(timed) == 1:
                self.known[timed[0]] = places[0]
        return places

    def literal(self, found: Evidence, text: Text) -> int:
        """The node of a literal; of an atom without a window it is the atom's own."""
        if isinstance(found, HoldingAtom):
            return self._background(found.timed[1]) if found.given else self.held(found.timed)
        place = self._reserve()
        match found:
            case Quantified(kind, _, seen, parts):
                shown = [self.cone.best(found)] if kind == "some" else parts
                premises = self._merged([part for _, part in shown])
                return self._put(place, kind, text, premises, window=window_json(seen), times=_times(shown))
            case Absent(formula, seen, binding):
                return self._absent(place, formula, seen, binding, text)
            case Compared(_, left, right):
                return self._put(place, "comparison", text, left=value_json(left), right=value_json(right))
            case AggregateEvidence():
                return self._aggregate(place, found, text)
            case Both(_, parts):
                return self._put(place, "formula", text, self._merged(parts))
            case Either(_, parts):
                return self._put(place, "formula", text, self._merged([min(parts, key=self.cone.height)]))
            case Plain():
                return self._put(place, "formula", text)
        raise TypeError(found)

    def _merged(self, parts: Iterable[Evidence]) -> list[int]:
        """The nodes of some parts; the arrivals of one atom are one node."""
        premises: list[int] = []
        merged: dict[tuple[AtomSource, Fact], list[TimedFact]] = {}
        plain: list[Evidence] = []
        for part in parts:
            if isinstance(part, Plain):  # what is true as it stands is told once
                if part in plain:
                    continue
                plain.append(part)
            source = self.world.source(part.timed) if isinstance(part, HoldingAtom) and not part.given else None
            if isinstance(part, HoldingAtom) and source in (AtomSource.INPUT, AtomSource.RECORDED, AtomSource.HELD):
                times = merged.setdefault((source, part.timed[1]), [])
                if part.timed not in times[-1:]:
                    times.append(part.timed)
            else:
                premises.append(self.literal(part, part_text(part)))
        for (source, _), timed in merged.items():
            match source:
                case AtomSource.INPUT:
                    premises += self._arrivals(timed)
                case AtomSource.HELD:
                    premises.append(self._held_on(timed))
                case _:
                    premises.append(self._recorded(timed))
        return list(dict.fromkeys(premises))

    def _held_on(self, timed: Sequence[TimedFact]) -> int:
        """One node for an atom that arrived earlier and held on at these time points."""
        key = timed[0] if len(timed) == 1 else tuple(timed)
        if key not in self.known:
            place = self.known[key] = self._reserve()
            _, fact = timed[0]
            own = [one for one in self.world.arrived if one.fact == fact]
            since = {max(one.time for one in own if one.time <= at) for at, _ in timed}
            arrived = input_details(fact, [one for one in own if one.time in since])
            details = {**arrived, "at": spans_json(spans_of(time for time, _ in timed)), "arrived": arrived["at"]}
            self._put(place, "held", **details, **self._said(*timed[0][::-1]))
        return self.known[key]

    def _recorded(self, timed: Sequence[TimedFact]) -> int:
        """One node for an atom that was recorded at these time points."""
        key = timed[0] if len(timed) == 1 else tuple(timed)
        if key not in self.known:
            place = self.known[key] = self._reserve()
            _, fact = timed[0]
            concluded = (self.world.history.recorders(fact, time, self.world.time) for time, _ in timed)
            evaluations = spans_json(joined(span for spans in concluded for span in spans))
            at = spans_json(spans_of(time for time, _ in timed))
            self._put(place, "recorded", atom=str(fact), at=at, evaluations=evaluations, **self._said(*timed[0][::-1]))
        return self.known[key]

    def _absent(self, place: int, formula: Not, seen: Seen, binding: Binding, text: Text) -> int:
        found = nearest(self.world, formula.body, binding, seen)
        return self._put(
            place,
            "absent",
            text,
            pattern=instance_text(formula.body, binding),
            window=window_json(seen),
            nearest=None if found is None else found.as_json(),
        )

    def _aggregate(self, place: int, found: AggregateEvidence, text: Text) -> int:
        elements = []
        premises: list[int] = []
        for one in found.elements:
            texts = [self._text(one.element.body, literal, one.binding) for literal in one.element.body]
            below = [self.literal(part, words) for part, words in zip(one.body, texts, strict=True)]
            premises += below
            entry = [value_json(value) for value in one.entry]
            elements.append({"tuple": entry, "bindings": bindings_json(one.binding), "premises": below})
        shown = list(dict.fromkeys(premises))
        value = value_json(found.value)
        return self._put(place, "aggregate", text, shown, value=value, elements=elements)


def part_text(part: Evidence) -> Text:
    """Of a part of a formula; atoms have nodes of their own."""
    if isinstance(part, HoldingAtom):
        return NO_TEXT
    windows = part.seen.windows if isinstance(part, Quantified) else ()
    formula = part.formula
    for window in reversed(windows):
        formula = Windowed(window, formula)
    return Text(instance_text(formula, part.binding) if isinstance(part, Absent) else show(formula))


def _file(one: Sourced) -> str:
    return one.place.file if one.place else ""


def window_json(seen: Seen) -> dict[str, Any]:
    text = " ".join(map(show, seen.windows))
    return {"text": text, "from": seen.first, "to": seen.last}


def _times(parts: Iterable[tuple[int, Evidence]]) -> list[list[int]]:
    return spans_json(spans_of(time for time, _ in parts))
