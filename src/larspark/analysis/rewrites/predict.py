"""How much faster a rewritten program will be, as far as that can be told before data arrives.

The unit is one row that the interval reasoner touches. A row of every input predicate arrives; a join finds one partner
per row; a comparison lets half of the rows through. Then each literal of a rule starts the rule with its own rows and
looks up every other literal for those that pass the comparisons, and what follows is stored. Going in and out costs
the same before and after. Joins that find more than one partner make the real gain larger than the predicted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import floor

from larspark.analysis.structure.occurrences import head_atoms
from larspark.language.facts import Signature
from larspark.language.traversal import atoms, atoms_with_sign
from larspark.language.tree import Comparison, Constant, Program, Rule

INTAKE = 20.0
"""Rows that could be touched while one arrival comes in and what follows goes out, as facts; measured, rounded up."""

PASSING = 0.5
"""The part of the rows that pass a comparison."""


def predicted_factor(before: Program, after: Program) -> float:
    """Time before / time after, rounded down to one decimal.

    Never below 1: what looks like more rows afterwards is a comparison dropped because another one implies it.
    """
    intake = INTAKE * len(_read(before) - _derived(before))
    if not intake:
        return 1.0
    return max(1.0, floor(10 * (intake + _work(before)) / (intake + _work(after))) / 10)


def _work(program: Program) -> float:
    """The rows touched per time point."""
    rows = _rows(program)
    return sum(_effort(rule, rows) for rule in program.rules)


def _effort(rule: Rule, rows: Mapping[Signature, float]) -> float:
    read = [rows[signature] for signature, _ in _literals(rule)]
    look_ups = (len(read) - 1) * _passing(rule)
    return sum(amount * (1 + look_ups) for amount in read) + _concluded(rule, rows)


def _concluded(rule: Rule, rows: Mapping[Signature, float]) -> float:
    """With one partner per row a join has as many results as its smallest side has rows."""
    joined = [rows[signature] for signature, negated in _literals(rule) if not negated]
    return min(joined, default=1.0) * _passing(rule)


def _rows(program: Program) -> Mapping[Signature, float]:
    """The rows of each predicate; in a recursion one round counts, so that what is predicted stays a lower bound."""
    rows: dict[Signature, float] = defaultdict(lambda: 1.0)
    defining: dict[Signature, list[Rule]] = defaultdict(list)
    for rule in program.rules:
        for atom in head_atoms(rule):
            defining[atom.signature].append(rule)
    finished: set[Signature] = set()

    def visit(signature: Signature) -> None:
        if signature in finished or signature not in defining:
            return
        finished.add(signature)
        for rule in defining[signature]:
            for needed, _ in _literals(rule):
                visit(needed)
        rows[signature] = sum(_concluded(rule, rows) for rule in defining[signature])

    for signature in list(defining):
        visit(signature)
    return rows


def _literals(rule: Rule) -> list[tuple[Signature, bool]]:
    """The predicates that the body reads, once per occurrence, and whether negatively."""
    return [(atom.signature, negated) for literal in rule.body for atom, negated in atoms_with_sign(literal)]


def _passing(rule: Rule) -> float:
    """A constant in an atom is a comparison as well."""
    comparisons = sum(isinstance(literal, Comparison) for literal in rule.body)
    asked = (argument for literal in rule.body for atom in atoms(literal) for argument in atom.args)
    return PASSING ** (comparisons + sum(isinstance(argument, Constant) for argument in asked))


def _read(program: Program) -> set[Signature]:
    return {signature for rule in program.rules for signature, _ in _literals(rule)}


def _derived(program: Program) -> set[Signature]:
    return {atom.signature for rule in program.rules for atom in head_atoms(rule)}
