"""PLTL formulas as LARS programs: intensional atoms carry the truth of subformulas over the timeline.

The path is the stream from the time point `start` up to the evaluation time, and goes on outside it. For every
position T of the stream, the translation of `name := φ` derives `@T name` iff φ holds at T. Each subformula that is not
an atom gets one predicate; U and S become positive recursion along time, so the program is stratified by the nesting of
the formula and is independent of the stream. What a formula may find outside the stream is told by as many positions
behind it as differ (see `paths`); most formulas find nothing there, and do without.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from larspark.language import tree
from larspark.language.facts import Signature
from larspark.language.tree import At, Atom, Comparison, Constant, Now, Operation, Program, Rule, Show, Variable
from larspark.translations.ltl.formulas import (
    LtlAnd,
    LtlImplies,
    LtlNot,
    LtlOr,
    LtlTruth,
    Next,
    Pltl,
    Previous,
    Proposition,
    Since,
    Until,
    nesting_of_previous,
    propositions,
    subformulas,
)
from larspark.translations.ltl.parser import LtlStatement
from larspark.translations.ltl.paths import OUTSIDE, truth_outside
from larspark.translations.naming import Names

_T = Variable("T")


@dataclass(frozen=True)
class _Places:
    """The atoms that hold at the positions of a path."""

    position: Atom
    """At those in the stream."""
    place: Atom
    """At those and, where the formula looks outside, at the ones behind the stream that differ."""
    end: Atom | None = None
    """At the last of these, which stands for all later ones."""


def translate(statements: Iterable[LtlStatement], start: int = 0) -> Program:
    """One program for all statements, over paths that begin at the time point `start`."""
    found = tuple(statements)
    names = Names({fact.predicate for statement in found for fact in propositions(statement.formula)})
    heads = {statement.name: names.fresh(statement.name) for statement in found}
    position = Atom(names.fresh("position"))
    within = _Places(position, position)
    rules = [Rule(position), _back_to(start, position)]
    looking = [statement.formula for statement in found if _looks_outside(statement.formula)]
    if looking:
        place, end = Atom(names.fresh("place")), Atom(names.fresh("end"))
        beyond = _Places(position, place, end)
        steps = max(map(nesting_of_previous, looking)) + 1
        rules += [Rule(At(Operation("+", Now(), Constant(steps)), end)), _wherever(place, end), _back_to(start, place)]
        if any(fact == OUTSIDE for formula in looking for fact in propositions(formula)):
            rules.append(_wherever(Atom(OUTSIDE.predicate), place, tree.Not(_at(position))))
    for statement in found:
        places = beyond if statement.formula in looking else within
        writer = _Writer(heads[statement.name], places, names)
        writer.state(statement.formula, Atom(heads[statement.name]))
        rules += writer.rules
    return Program(tuple(rules), (Show(tuple(Signature(head, 0) for head in heads.values())),))


def _back_to(start: int, atom: Atom) -> Rule:
    """With a time point, all before it from the start on."""
    return Rule(_at(atom, -1), (_at(atom), Comparison(">", _T, Constant(start))))


def _wherever(head: Atom, atom: Atom, *more: tree.Formula) -> Rule:
    """The head, at every time point at which the atom and the rest hold."""
    return Rule(_at(head), (_at(atom), *more))


def _looks_outside(formula: Pltl) -> bool:
    """Whether a position of the stream may depend on what holds behind it."""
    return any(
        (isinstance(part, Next | Until) and truth_outside(part) is not False) or part == Proposition(OUTSIDE)
        for part in subformulas(formula)
    )


class _Writer:
    """The rules of one statement; equal subformulas share a predicate."""

    def __init__(self, name: str, places: _Places, names: Names) -> None:
        self.name = name
        self.places = places
        self.names = names
        self.rules: list[Rule] = []
        self.known: dict[Pltl, Atom] = {}

    def state(self, formula: Pltl, head: Atom) -> None:
        """The head follows the formula at the positions of the stream."""
        if self.places.end is not None:
            self.rules.append(_wherever(head, self.places.position, _at(self.atom_for(formula))))
        else:
            self.define(formula, head)

    def atom_for(self, formula: Pltl) -> Atom:
        """An atom that holds at T iff the formula does."""
        if isinstance(formula, Proposition):
            return Atom(formula.fact.predicate, tuple(map(Constant, formula.fact.args)))
        if formula == LtlTruth(True):
            return self.places.place
        if formula not in self.known:
            self.known[formula] = Atom(self.names.numbered(self.name))
            self.define(formula, self.known[formula])
        return self.known[formula]

    def define(self, formula: Pltl, head: Atom) -> None:
        """The rules by which the head follows the formula."""
        match formula:
            case LtlTruth(value):
                if value:
                    self._rule(head)
            case Proposition():
                self._rule(head, _at(self.atom_for(formula)))
            case LtlNot(body):
                self._rule(head, tree.Not(_at(self.atom_for(body))))
            case LtlAnd(parts):
                self._rule(head, *(_at(self.atom_for(part)) for part in parts))
            case LtlOr(parts):
                for part in parts:
                    self._rule(head, _at(self.atom_for(part)))
            case LtlImplies(left, right):
                self.define(LtlOr((LtlNot(left), right)), head)
            case Next(body):
                self._rule(head, _at(self.atom_for(body), 1))
                if self.places.end is not None:
                    self._rule(head, _at(self.places.end), _at(self.atom_for(body)))
            case Previous(body):
                self._rule(head, _at(self.places.place, -1), _at(self.atom_for(body), -1))
            case Until(left, right):
                self._until(left, right, head, 1)
            case Since(left, right):
                self._until(left, right, head, -1)

    def _until(self, left: Pltl, right: Pltl, head: Atom, step: int) -> None:
        self._rule(head, _at(self.atom_for(right)))
        self._rule(head, _at(self.atom_for(left)), _at(head, step))

    def _rule(self, head: Atom, *body: tree.Formula) -> None:
        self.rules.append(Rule(_at(head), tuple(dict.fromkeys((_at(self.places.place), *body)))))


def _at(atom: Atom, step: int = 0) -> At:
    """`@T atom`, `@(T+1) atom` or `@(T-1) atom`."""
    if step == 0:
        return At(_T, atom)
    return At(Operation("+" if step > 0 else "-", _T, Constant(1)), atom)
