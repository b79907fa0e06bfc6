"""`p(X,Y), Y = 3` as `p(X,3)`: the value is looked up instead of compared."""

from __future__ import annotations

from dataclasses import replace

from larspark.analysis.rewrites.variables import time_variables
from larspark.language.extended_atoms import extended_atom
from larspark.language.traversal import substitute, variables
from larspark.language.tree import Comparison, Constant, Formula, Program, Rule, Variable
from larspark.language.values import compare


def inline_equalities(program: Program) -> Program:
    """Replace variables by what they are equal to, and leave out comparisons of constants that hold.

    The rule keeps its ground instances, so the programs are strongly equivalent. A time variable has instances
    for time points only; it is replaced by a constant only if an atom at that time is required anyway.
    """
    return replace(program, rules=tuple(map(_inlined, program.rules)))


def _inlined(rule: Rule) -> Rule:
    for at, literal in enumerate(rule.body):
        rest = rule.body[:at] + rule.body[at + 1 :]
        match literal:
            case Comparison(operator, Constant(left), Constant(right)) if compare(operator, left, right):
                return _inlined(replace(rule, body=rest))
            case Comparison("=", Variable() as variable, Constant() as constant) | Comparison(
                "=", Constant() as constant, Variable() as variable
            ) if _replaceable(variable, rule, rest):
                return _inlined(substitute(replace(rule, body=rest), {variable.name: constant}))
            case Comparison("=", Variable() as one, Variable() as other) if _are_data(one, other, rule, rest):
                return _inlined(substitute(replace(rule, body=rest), {one.name: other}))
    return rule


def _replaceable(variable: Variable, rule: Rule, rest: tuple[Formula, ...]) -> bool:
    return variable.name not in time_variables(rule) or any(_is_at(literal, variable) for literal in rest)


def _is_at(literal: Formula, variable: Variable) -> bool:
    read = extended_atom(literal)
    return read is not None and not read.negated and read.time == variable


def _are_data(one: Variable, other: Variable, rule: Rule, rest: tuple[Formula, ...]) -> bool:
    """Two variables that the other literals bind, neither of them for times."""
    bound = {variable.name for literal in rest for variable in variables(literal)}
    return {one.name, other.name} <= bound and {one.name, other.name}.isdisjoint(time_variables(rule))
