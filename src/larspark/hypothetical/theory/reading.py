"""From the tree's terms to literals: what both readings, Temporal Datalog and LARS, share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from larspark.diagnostics import Diagnostic, Origin
from larspark.hypothetical.theory import findings
from larspark.hypothetical.theory.bounds import TimeBound
from larspark.hypothetical.theory.conditions import rewritten
from larspark.hypothetical.theory.terms import (
    ABSOLUTE,
    NOW,
    Literal,
    Substitution,
    Term,
    Time,
    Var,
    apply,
    names,
    unify,
)
from larspark.hypothetical.theory.theory import Clause
from larspark.language import tree
from larspark.language.traversal import rewrite, variables


def offset_term(term: tree.Term) -> Time | None:
    """The time term base+offset that a term spells, if it has that form."""
    match term:
        case tree.Constant(value=int(value)):
            return Time(ABSOLUTE, value)
        case tree.Variable(name):
            return Time(name)
        case tree.Now():
            return Time(NOW)
        case tree.Operation("+", left, right):
            a, b = offset_term(left), offset_term(right)
            if a is None or b is None or (ABSOLUTE not in (a.base, b.base)):
                return None
            return Time(a.base or b.base, a.offset + b.offset)
        case tree.Operation("-", left, right):
            a, b = offset_term(left), offset_term(right)
            return Time(a.base, a.offset - b.offset) if a is not None and b is not None and not b.base else None
    return None


def now_as_variable(comparison: tree.Comparison) -> tree.Comparison:
    """`now` becomes an ordinary variable of that name."""

    def step(node: tree.Node) -> tree.Node:
        return tree.Variable(NOW, origin=node.origin) if isinstance(node, tree.Now) else node

    return rewrite(comparison, step)


def difference_bounds(comparison: tree.Comparison, times: frozenset[str]) -> tuple[TimeBound, ...] | None:
    """A comparison that only relates two time terms, as bounds; None when it says something else."""
    sides = _moved(comparison.left, comparison.right)
    if sides is None:
        return None
    left, right = sides
    if any(side.base not in times and side.base != ABSOLUTE for side in sides) or not (left.base or right.base):
        return None
    match comparison.operator:
        case "<":
            return (TimeBound(left, right, -1),)
        case "<=":
            return (TimeBound(left, right, 0),)
        case ">":
            return (TimeBound(right, left, -1),)
        case ">=":
            return (TimeBound(right, left, 0),)
    return None


def equal_times(comparison: tree.Comparison, times: frozenset[str]) -> tuple[Time, Time] | None:
    """The two sides of T = U+3, a variable that may be replaced on the left; the evaluation time never is."""
    sides = _moved(comparison.left, comparison.right) if comparison.operator == "=" else None
    if sides is None or any(side.base not in times | {NOW, ABSOLUTE} for side in sides):
        return None
    left, right = sides
    return (right, left) if left.base in (NOW, ABSOLUTE) else (left, right)


def _moved(left: tree.Term, right: tree.Term) -> tuple[Time, Time] | None:
    """Both sides as time terms, a difference of two variables on one side spread over both: U2-U <= 3 is U2 <= U+3."""
    a, b = offset_term(left), offset_term(right)
    if a is not None and b is not None:
        return a, b
    match left, right:
        case tree.Operation("-", first, second), _ if b is not None and b.base == ABSOLUTE:
            x, y = offset_term(first), offset_term(second)
            return (x, y.shifted(b.offset)) if x is not None and y is not None else None
        case _, tree.Operation("-", first, second) if a is not None and a.base == ABSOLUTE:
            x, y = offset_term(first), offset_term(second)
            return (y.shifted(a.offset), x) if x is not None and y is not None else None
    return None


@dataclass
class RuleReader:
    """Reads the atoms of one rule: knows which variables are times, and names computed arguments."""

    times: frozenset[str]
    diagnostics: list[Diagnostic]
    conditions: list[tree.Comparison] = field(default_factory=list)
    fresh: Iterator[int] = field(default_factory=lambda: count(1))

    def arguments(self, terms: Iterable[tree.Term]) -> tuple[Term, ...]:
        return tuple(self._argument(term) for term in terms)

    def _argument(self, term: tree.Term) -> Term:
        match term:
            case tree.Constant(value):
                return value
            case tree.Variable(name):
                return Time(name) if name in self.times else Var(name)
            case tree.Now():
                return Time(NOW)
        offset = offset_term(term)
        if offset is not None and (offset.base in self.times or offset.base == ABSOLUTE):
            return offset if offset.base else offset.offset
        name = f"_Computed{next(self.fresh)}"
        self.conditions.append(tree.Comparison("=", tree.Variable(name), term, origin=term.origin))
        return Var(name)

    def time(self, term: tree.Term) -> Time:
        offset = offset_term(term)
        if offset is not None:
            return offset
        name = f"_Computed{next(self.fresh)}"
        self.conditions.append(tree.Comparison("=", tree.Variable(name), term, origin=term.origin))
        return Time(name)

    def finish(self, clause: Clause, comparisons: Iterable[tree.Comparison]) -> Clause | None:
        """Add comparisons to a clause: equal times unify, differences become bounds, the rest are conditions.

        None when two times can never be equal, so that the clause never applies.
        """
        bounds: list[TimeBound] = []
        conditions: list[tree.Comparison] = []
        equal: Substitution = {}
        for comparison in map(now_as_variable, (*comparisons, *self.conditions)):
            sides = equal_times(comparison, self.times)
            if sides is not None:
                if not unify(*sides, equal):
                    return None
                continue
            found = difference_bounds(comparison, self.times | {NOW})
            if found is None:
                conditions.append(comparison)
            else:
                bounds.extend(found)
        return Clause(
            apply(clause.head, equal),
            tuple(apply(literal, equal) for literal in clause.body),
            tuple(apply(literal, equal) for literal in clause.negated),
            tuple(rewritten(condition, equal) for condition in conditions),
            tuple(bound.apply(equal) for bound in (*clause.bounds, *bounds)),
            clause.origin,
        )


def bound_names(body: Iterable[Literal], conditions: Iterable[tree.Comparison], known: Iterable[str] = ()) -> set[str]:
    """Variables that the positive body binds, directly or by `X = expression`."""
    bound = {*names(body), *known}
    pending = [c for c in conditions if c.operator == "="]
    while True:
        progress = False
        for comparison in pending:
            for target, source in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
                if (
                    isinstance(target, tree.Variable)
                    and target.name not in bound
                    and all(v.name in bound for v in variables(source))
                ):
                    bound.add(target.name)
                    progress = True
        if not progress:
            return bound


def check_safety(needed: Iterable[str], bound: set[str], origin: Origin | None, diagnostics: list[Diagnostic]) -> None:
    """Report variables that nothing binds (AAAI 2020, Sect. 2: rules are safe)."""
    unsafe = sorted({name for name in needed if name not in bound and name != NOW})
    diagnostics.extend(findings.unsafe(name, origin) for name in unsafe)
