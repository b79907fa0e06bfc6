"""Why a condition does not hold, in one word of a fixed vocabulary, with the figures that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from larspark.diagnostics import Rejected
from larspark.explain.evaluations.history import AnswerHistory, RecordPlace, Sourced, Span, spans_of, without
from larspark.explain.evaluations.matching import matched
from larspark.explain.evaluations.world import World, occurrences
from larspark.explain.proofs.build import window_json
from larspark.explain.proofs.cone import atoms_of
from larspark.explain.proofs.evidence import Seen, counted, evidence, looked_at, seen
from larspark.explain.proofs.nearest import differing, fewest_differing, pattern
from larspark.explain.proofs.proof import instance_text, spans_json, value_json
from larspark.explain.proofs.sight import enters, left, until
from larspark.intervals.sets import FOREVER
from larspark.language.facts import Fact, fact_order
from larspark.language.traversal import atoms
from larspark.language.tree import (
    Aggregate,
    Always,
    And,
    At,
    Atom,
    Comparison,
    FilterWindow,
    Formula,
    Not,
    Or,
    PartitionWindow,
    Reset,
    Rule,
    Some,
    TupleWindow,
    Variable,
    Window,
    Windowed,
)
from larspark.language.values import NotANumber
from larspark.semantics.aggregates import aggregate
from larspark.semantics.entailment import solutions, windowed
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.streams import NOTHING
from larspark.semantics.structures import Binding
from larspark.semantics.structures import Place as Evaluated

VOCABULARY = (
    "never",
    "expired",
    "not-yet",
    "gap",
    "pushed-out",
    "other-value",
    "refused",
    "blocked",
    "comparison",
    "aggregate",
    "chosen-otherwise",
    "constraint",
)
SIDES = ("left", "right")
NOTHING_KNOWN: Mapping[str, Any] = {}


@dataclass(frozen=True)
class JudgedCondition:
    """A condition of a partial instance: it holds, or one word says why it does not."""

    text: str
    reason: str | None = None
    details: dict[str, Any] = field(default_factory=dict)
    missing: int = 1
    """Time points that are missing, for the order of near misses."""
    told: str = field(default="", compare=False)
    """The text for people, where times are timestamps."""
    values: str = field(default="", compare=False)
    """Both sides of a comparison that fails, likewise."""

    @property
    def ok(self) -> bool:
        return self.reason is None

    def as_json(self) -> dict[str, Any]:
        reason = {} if self.reason is None else {"reason": self.reason, **self.details}
        return {"text": self.text, "ok": self.ok, **reason}


@dataclass(frozen=True)
class Reasons:
    """Says why conditions fail at an evaluation."""

    world: World
    later: Callable[[], AnswerHistory]
    """What would hold later if nothing arrived; asked for only where it matters."""

    @cached_property
    def idle(self) -> AnswerHistory:
        return self.later()

    def condition(self, rule: Rule, place: int, written: Formula, binding: Binding, failed: bool) -> JudgedCondition:
        """Of the literal that stands at a place of a body."""
        words, literal = self.world.setting.words, rule.body[place]
        found = self._condition(literal, written, binding, failed)
        if not words.stamped:
            return found
        values = ""
        if isinstance(literal, Comparison) and found.details:
            values = words.compared(rule.body, literal, [found.details[one] for one in SIDES])
        return replace(found, told=instance_text(written, words.binding(rule.body, binding)), values=values)

    def _condition(self, literal: Formula, written: Formula, binding: Binding, failed: bool) -> JudgedCondition:
        text = instance_text(written, binding)
        return self._failed(self.world.place, literal, binding, text) if failed else JudgedCondition(text)

    def _failed(self, place: Evaluated, literal: Formula, binding: Binding, text: str) -> JudgedCondition:
        """Why a formula does not hold where it is looked at."""
        match literal:
            case Not(body):
                return self._blocked(place, body, binding, text)
            case Comparison(_, left, right):
                values = {name: self._value(term, binding) for name, term in zip(SIDES, (left, right), strict=True)}
                return JudgedCondition(text, "comparison", values)
            case Aggregate():
                return self._aggregate(place, literal, binding, text)
            case Reset(body):
                return self._failed(place.on(place.m.stream), body, binding, text)
            case And(parts) | Or(parts):
                failing = (part for part in parts if not self._has(place, part, binding))
                return self._failed(place, next(failing, parts[0]), binding, text)
        inner, body, windows = place, literal, list[Window]()
        try:
            while isinstance(body, Windowed):
                windows.append(body.window)
                inner, body = windowed(inner, body.window, binding), body.body
        except (KeyError, NotANumber):  # the bounds of a window are not known
            return JudgedCondition(text, "never", {"unknown": True})
        selected = seen(inner, tuple(windows))
        match body:
            case Always(Atom() as atom):
                return self._gap(inner, atom, binding, selected, text)
            case Some(Atom() as atom) | At(_, Atom() as atom) | (Atom() as atom):
                return self._missing(inner, body, atom, binding, selected, text)
            case Always(every) if selected.last is not None:
                points = range(selected.first, selected.last + 1)
                had = spans_of(time for time in points if self._has(inner.at(time), every, binding))
                return _gap_of(selected, had, text)
            case And() | Or() | Not() | Reset() | Comparison() | Aggregate() if windows:
                return self._failed(inner, body, binding, text)
        found = list(atoms(literal))
        if len(found) == 1:
            return self._missing(inner, body, found[0], binding, selected, text)
        return JudgedCondition(text, "never")

    @staticmethod
    def _has(place: Evaluated, formula: Formula, binding: Binding) -> bool:
        try:
            return any(True for _ in solutions(place, formula, binding))
        except (KeyError, NotANumber, Rejected):
            return False

    def _value(self, term: Any, binding: Binding) -> Any:
        try:
            return value_json(self.world.place.m.value(term, binding))
        except (KeyError, NotANumber):
            return None

    # -- positive conditions -----------------------------------------------------------------------

    def _gap(self, inner: Evaluated, atom: Atom, binding: Binding, selected: Seen, text: str) -> JudgedCondition:
        """`always`: some points are there; otherwise it is as with `some`."""
        last = selected.last if selected.last is not None else self.world.time
        whole: list[Span] = [(selected.first, last)] if selected.first <= last else []
        wanted = pattern(self.world, atom, binding)
        times: dict[Fact, list[int]] = {}
        for time, fact in occurrences(inner.stream, wanted.signature):
            if matched(wanted, fact, {}) is not None:
                times.setdefault(fact, []).append(time)
        if not times:
            found = self._missing(inner, Some(atom), atom, binding, selected, text)
            everything = spans_json(whole)
            return JudgedCondition(text, found.reason, {**found.details, "missing": everything}, _size(whole))
        fact = min(times, key=lambda one: (-len(times[one]), fact_order(one)))
        return _gap_of(replace(selected, last=last), spans_of(times[fact]), text, {"atom": str(fact)})

    def _missing(
        self, inner: Evaluated, body: Formula, atom: Atom, binding: Binding, selected: Seen, text: str
    ) -> JudgedCondition:
        """Something that is not there: where was it, where will it be, what is there instead?"""
        world, wanted = self.world, pattern(self.world, atom, binding)
        window = {"window": window_json(selected)}
        pinned = isinstance(body, At)  # only what counts arrivals lets it go
        counted = any(isinstance(one, TupleWindow | PartitionWindow) for one in selected.windows)
        same = [] if pinned and not counted else world.matching(wanted)
        missed = (timed for timed in reversed(same) if timed[0] <= world.time and not self._inside(inner, body, timed))
        before = next(missed, None)
        if before and world.arrived_at(before) and (pushed := self._pushed(before, selected.windows)):
            return JudgedCondition(text, "pushed-out", {**pushed, **window})
        if before and not pinned:
            time, fact = before
            seen_from = enters(selected.windows, time) if selected.windows else None
            if seen_from is not None and seen_from > world.time:
                return JudgedCondition(text, "not-yet", {**self._named(fact, time), "seen": seen_from, **window})
            gone = left(world, selected.windows, before, binding) if selected.windows else time + 1
            return JudgedCondition(text, "expired", {**self._named(fact, time), "left": gone, **window})
        held = self._held_before(wanted) if isinstance(body, Atom) else None
        if held is not None:
            fact, span = held
            details = {"atom": str(fact), "last": span[1], "left": span[1] + 1, "derived": True}
            return JudgedCondition(text, "expired", {**details, **window})
        refused = [one for one in world.setting.refused if one.fact and matched(wanted, one.fact, {}) is not None]
        if refused:
            one = refused[-1]
            details = {"atom": str(one.fact), "at": one.time, "because": one.reason, "code": one.code}
            return JudgedCondition(text, "refused", {**details, **_line(one.place), **window})
        later = world.arrivals_like(wanted, world.time + 1, FOREVER)
        coming = next((one for one in later if matched(wanted, one.fact, {}) is not None), None)
        if coming is not None:
            return JudgedCondition(text, "not-yet", {**self._named(coming.fact, coming.time, coming), **window})
        ahead = (timed for timed in same if timed[0] > world.time and not self._inside(inner, body, timed))
        if not pinned and (first := next(ahead, None)) is not None:
            time, fact = first
            return JudgedCondition(text, "not-yet", {**self._named(fact, time), **window})
        others = list(occurrences(inner.stream, wanted.signature)) or self._others_there(wanted, selected)
        if pinned:
            others += world.fitting(wanted)
        if others:
            time, fact = fewest_differing(wanted, others)
            details = {"differs": list(differing(wanted, fact))}
            return JudgedCondition(text, "other-value", {**self._named(fact, time), **details, **window})
        return JudgedCondition(text, "never", {"pattern": instance_text(wanted, {}), **window})

    def _others_there(self, wanted: Atom, selected: Seen) -> list[TimedFact]:
        """In the window, where only arrivals about the same keys are looked at."""
        last = self.world.time if selected.last is None else min(selected.last, self.world.time)
        anything = Atom(wanted.predicate, (Variable("_"),) * len(wanted.args))
        return [one[:2] for one in self.world.arrivals_like(anything, selected.first, last)]

    def _inside(self, inner: Evaluated, body: Formula, timed: TimedFact) -> bool:
        time, fact = timed
        return fact in inner.stream.at(time) and (not isinstance(body, Atom) or time == inner.time)

    def _held_before(self, wanted: Atom) -> tuple[Fact, Span] | None:
        """A conclusion that earlier evaluations had."""
        found = [
            (one.fact, (one.first, one.last))
            for one in self.world.history.stretches
            if one.at is None and one.last < self.world.time and matched(wanted, one.fact, {}) is not None
        ]
        return max(found, key=lambda one: one[1][1], default=None)

    def _pushed(self, timed: TimedFact, windows: tuple[Window, ...]) -> dict[str, Any] | None:
        """The arrivals after it that fill a window; None where no window counts."""
        arrived = list(self.world.arrived)
        own = max(place for place, one in enumerate(arrived) if (one.time, one.fact) == timed)
        later = arrived[own + 1 :]
        for window in windows:
            match window:
                case FilterWindow():
                    later = [one for one in later if window.lets_through(one.fact)]
                case TupleWindow(whole=whole):
                    later = [one for one in later if not whole or one.time > timed[0]]
                    break
                case PartitionWindow(whole=whole):
                    mine = (one for one in later if window.key_of(one.fact) == window.key_of(timed[1]))
                    later = [one for one in mine if not whole or one.time > timed[0]]
                    break
        else:
            return None
        by = [self._named(one.fact, one.time, one) for one in later[:3]]
        return {**self._named(timed[1], timed[0]), "by": by, "arrivals": len(later)} if later else None

    def _named(self, fact: Fact, time: int, one: Sourced | None = None) -> dict[str, Any]:
        arrival = one or self.world.first_arrival((time, fact))
        place = arrival.place if arrival else None
        return {"atom": str(fact), "at": time, **_line(place)}

    # -- the others --------------------------------------------------------------------------------

    def _blocked(self, place: Evaluated, body: Formula, binding: Binding, text: str) -> JudgedCondition:
        """A negated condition: by what, and until when if nothing arrives."""
        found = min(solutions(place, body, binding), key=lambda one: str(sorted(one.items())), default=None)
        if found is None:
            return JudgedCondition(text, "never")
        timed = max(atoms_of((evidence(place, body, found),)), default=None, key=lambda one: (one[0], str(one[1])))
        if timed is None:
            return JudgedCondition(text, "blocked")
        windows = looked_at(place, body, found).windows
        return JudgedCondition(
            text, "blocked", {"by": self._named(*timed[::-1]), "until": self._free(timed, windows, found)}
        )

    def _free(self, timed: TimedFact, windows: tuple[Window, ...], binding: Binding) -> int | None:
        """When an atom that blocks is out of sight, or gone, if nothing arrives."""
        stays = self.world.arrived_at(timed) or timed[1] in self.world.recorded.get(timed[0], NOTHING)
        moving = stays or timed[0] != self.world.time  # what is about the present is concluded anew
        seen_until = until(self.world, windows, timed, binding) if moving else None
        gone = None if stays else self._ends(timed)
        return min((one for one in (seen_until, gone) if one is not None), default=None)

    def _ends(self, timed: TimedFact) -> int | None:
        """When a conclusion is gone, if nothing arrives."""
        time = self.world.time
        spans = self.idle.spans(timed[1], None if timed[0] == time else timed[0])
        last = next((last for first, last in spans if first <= time <= last), None)
        return None if last is None or last >= self.idle.end else last + 1

    def _aggregate(self, place: Evaluated, formula: Aggregate, binding: Binding, text: str) -> JudgedCondition:
        try:
            value = aggregate(formula.function, {one.entry for one in counted(place, formula, binding)})
        except (KeyError, NotANumber):
            value = None
        needed = self._value(formula.result, binding)
        details = {"value": None if value is None else value_json(value), "operator": formula.operator}
        return JudgedCondition(text, "aggregate", {**details, "needed": needed})


def _gap_of(selected: Seen, had: Sequence[Span], text: str, atom: Mapping[str, Any] = NOTHING_KNOWN) -> JudgedCondition:
    last = selected.first - 1 if selected.last is None else selected.last
    missing = without([(selected.first, last)] if selected.first <= last else [], had)
    window = [selected.first, selected.last]
    details = {**atom, "window": window, "had": spans_json(had), "missing": spans_json(missing)}
    return JudgedCondition(text, "gap", details, max(1, _size(missing)))


def _line(place: RecordPlace | None) -> dict[str, Any]:
    return {} if place is None else {"source": place.file, "line": place.line}


def _size(spans: Sequence[Span]) -> int:
    return sum(last - first + 1 for first, last in spans)
