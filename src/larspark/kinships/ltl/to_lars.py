"""PLTL formulas as LARS programs: intensional atoms carry the truth of subformulas over the timeline.

The path is the stream from the time point `start` up to the evaluation time. For every position T of it, the
translation of `name := φ` derives `@T name` iff φ holds at T. Each subformula that is not an atom gets one predicate;
U and S become positive recursion along time, so the program is stratified by the nesting of the formula and is
independent of the stream.
"""

from __future__ import annotations

from collections.abc import Iterable

from larspark.kinships.ltl.formulas import (
    And,
    Implies,
    Next,
    Not,
    Or,
    Pltl,
    Previous,
    Proposition,
    Since,
    Truth,
    Until,
    propositions,
)
from larspark.kinships.ltl.parser import Statement
from larspark.kinships.naming import Names
from larspark.language import tree
from larspark.language.facts import Signature
from larspark.language.tree import At, Atom, Comparison, Constant, Operation, Program, Rule, Show, Variable

_T = Variable("T")


def translate(statements: Iterable[Statement], start: int = 0) -> Program:
    """One program for all statements, over paths that begin at the time point `start`."""
    found = tuple(statements)
    names = Names({fact.predicate for statement in found for fact in propositions(statement.formula)})
    heads = {statement.name: names.fresh(statement.name) for statement in found}
    position = Atom(names.fresh("position"))
    rules = [
        # Every time point from the evaluation time back to the start is a position of the path.
        Rule(position),
        Rule(_at(position, -1), (_at(position), Comparison(">", _T, Constant(start)))),
    ]
    for statement in found:
        writer = _Writer(heads[statement.name], position, names)
        writer.define(statement.formula, Atom(heads[statement.name]))
        rules += writer.rules
    return Program(tuple(rules), (Show(tuple(Signature(head, 0) for head in heads.values())),))


class _Writer:
    """The rules of one statement; equal subformulas share a predicate."""

    def __init__(self, name: str, position: Atom, names: Names) -> None:
        self.name = name
        self.position = position
        self.names = names
        self.rules: list[Rule] = []
        self.known: dict[Pltl, Atom] = {}

    def atom_for(self, formula: Pltl) -> Atom:
        """An atom that holds at T iff the formula does."""
        if isinstance(formula, Proposition):
            return Atom(formula.fact.predicate, tuple(map(Constant, formula.fact.args)))
        if formula == Truth(True):
            return self.position
        if formula not in self.known:
            self.known[formula] = Atom(self.names.numbered(self.name))
            self.define(formula, self.known[formula])
        return self.known[formula]

    def define(self, formula: Pltl, head: Atom) -> None:
        """The rules by which the head follows the formula."""
        match formula:
            case Truth(value):
                if value:
                    self._rule(head)
            case Proposition():
                self._rule(head, _at(self.atom_for(formula)))
            case Not(body):
                self._rule(head, tree.Not(_at(self.atom_for(body))))
            case And(parts):
                self._rule(head, *(_at(self.atom_for(part)) for part in parts))
            case Or(parts):
                for part in parts:
                    self._rule(head, _at(self.atom_for(part)))
            case Implies(left, right):
                self.define(Or((Not(left), right)), head)
            case Next(body):
                self._rule(head, _at(self.atom_for(body), 1))
            case Previous(body):
                self._rule(head, _at(self.position, -1), _at(self.atom_for(body), -1))
            case Until(left, right):
                self._until(left, right, head, 1)
            case Since(left, right):
                self._until(left, right, head, -1)

    def _until(self, left: Pltl, right: Pltl, head: Atom, step: int) -> None:
        self._rule(head, _at(self.atom_for(right)))
        self._rule(head, _at(self.atom_for(left)), _at(head, step))

    def _rule(self, head: Atom, *body: tree.Formula) -> None:
        self.rules.append(Rule(_at(head), tuple(dict.fromkeys((_at(self.position), *body)))))


def _at(atom: Atom, step: int = 0) -> At:
    """`@T atom`, `@(T+1) atom` or `@(T-1) atom`."""
    if step == 0:
        return At(_T, atom)
    return At(Operation("+" if step > 0 else "-", _T, Constant(1)), atom)
