"""Entailment on pairs of streams: bi-LARS (thesis Def. 23) and LARS Here-and-There (Def. 28 and 30)."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from larspark.language.tree import (
    Aggregate,
    Always,
    And,
    At,
    Atom,
    Comparison,
    Formula,
    Implies,
    Not,
    Or,
    Program,
    Ranked,
    Reset,
    Rule,
    Some,
    Truth,
    Window,
    Windowed,
)
from larspark.semantics.entailment import entails, windowed
from larspark.semantics.horizon import instants
from larspark.semantics.structures import Place


class Logic(Enum):
    """How negation and windows are read; the rest is common."""

    BI = "bi-LARS"
    """Def. 23: both are evaluated in the left and in the right structure alone, whatever lies below them."""
    HT = "Here-and-There"
    """Def. 30: ¬α is α → ⊥, and a window is applied to both streams before the pair is evaluated further."""


class BiWorld(Enum):
    L = "L"
    R = "R"


class BiPlace(NamedTuple):
    """(M, t) for a bi-structure M = ⟨(S_L, S_R), W, B⟩; both places have the same time."""

    left: Place
    right: Place

    def of(self, world: BiWorld) -> Place:
        return self.left if world is BiWorld.L else self.right

    def at(self, time: int) -> BiPlace:
        return BiPlace(self.left.at(time), self.right.at(time))

    def within(self, window: Window) -> BiPlace:
        return BiPlace(windowed(self.left, window, {}), windowed(self.right, window, {}))

    def whole(self) -> BiPlace:
        """Back to the original streams (5.6)."""
        return BiPlace(self.left.on(self.left.m.stream), self.right.on(self.right.m.stream))


def bi_entails(place: BiPlace, formula: Formula, logic: Logic = Logic.BI, world: BiWorld = BiWorld.L) -> bool:
    """M, t, w ⊩ φ for a ground formula; M, t ⊩ φ is the case of the left world."""
    here = place.of(world)
    match formula:
        case Atom() | Truth() | Comparison():
            return entails(here, formula, {})
        case And(parts):
            return all(bi_entails(place, part, logic, world) for part in parts)
        case Or(parts):
            return any(bi_entails(place, part, logic, world) for part in parts)
        case Some(body):
            return any(bi_entails(place.at(time), body, logic, world) for time in instants(here, body, {}))
        case Always(body):
            everywhere = instants(here, body, {})
            return bool(everywhere) and all(bi_entails(place.at(time), body, logic, world) for time in everywhere)
        case At(term, body):
            time = here.m.value(term, {})
            return isinstance(time, int) and time in here.stream and bi_entails(place.at(time), body, logic, world)
        case Reset(body):
            return bi_entails(place.whole(), body, logic, world)
        case Implies(left, right):
            inside = not bi_entails(place, left, logic, world) or bi_entails(place, right, logic, world)
            return inside and (world is BiWorld.R or bi_entails(place, formula, logic, BiWorld.R))
        case Not(body) if logic is Logic.HT:
            return bi_entails(place, Implies(body, Truth(False)), logic, world)
        case Windowed(window, body) if logic is Logic.HT:
            return bi_entails(place.within(window), body, logic, world)
        case Ranked():
            raise TypeError("resolving spells ranks out")
        case Not() | Windowed() | Aggregate():
            return entails(here, formula, {}) and (world is BiWorld.R or entails(place.right, formula, {}))


def satisfies_rule(place: BiPlace, rule: Rule, logic: Logic = Logic.BI) -> bool:
    """M, t ⊨ r: the bi-structure entails β(r) → H(r) (Def. 24)."""
    return bi_entails(place, Implies(And(rule.body), rule.head), logic)


def is_bi_model(place: BiPlace, program: Program, logic: Logic = Logic.BI) -> bool:
    """M, t ⊨ P (Def. 24)."""
    return all(satisfies_rule(place, rule, logic) for rule in program.rules)
