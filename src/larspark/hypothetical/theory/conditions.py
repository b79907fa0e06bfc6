"""Comparisons inside clauses: decided as soon as their variables are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from larspark.hypothetical.theory.terms import ABSOLUTE, Substitution, Term, Time, Var, resolve, resolve_object
from larspark.language import tree
from larspark.language.evaluate import evaluate
from larspark.language.traversal import substitute, variables
from larspark.language.values import NotANumber, Value, compare


@dataclass(frozen=True)
class Settled:
    """What is left of some comparisons: the extended substitution and those that wait for a variable."""

    bound: Substitution
    open: tuple[tree.Comparison, ...]


def as_tree(term: Term) -> tree.Term:
    match term:
        case Var(name):
            return tree.Variable(name)
        case Time(base, offset) if base == ABSOLUTE:
            return tree.Constant(offset)
        case Time(base, 0):
            return tree.Variable(base)
        case Time(base, offset):
            return tree.Operation("+", tree.Variable(base), tree.Constant(offset))
        case _:
            return tree.Constant(term)


def rewritten(comparison: tree.Comparison, bound: Mapping[str, Term]) -> tree.Comparison:
    """The comparison under a substitution."""
    found = {v.name for v in variables(comparison)}
    binding = {
        name: as_tree(
            resolve(Var(name), bound) if not isinstance(bound[name], Time) else resolve_object(Time(name), bound)
        )
        for name in found
        if name in bound
    }
    return substitute(comparison, binding) if binding else comparison


def holds(comparison: tree.Comparison, binding: Mapping[str, Value]) -> bool:
    """Whether a comparison holds; arithmetic that fails does not hold."""
    try:
        return compare(comparison.operator, evaluate(comparison.left, binding), evaluate(comparison.right, binding))
    except NotANumber:
        return False


def settle(comparisons: Iterable[tree.Comparison], bound: Substitution) -> Settled | None:
    """Decide what can be decided, bind `X = expression`; None when a comparison fails."""
    extended = dict(bound)
    waiting = list(comparisons)
    progress = True
    while progress:
        progress = False
        still: list[tree.Comparison] = []
        for comparison in waiting:
            rewrittenc = rewritten(comparison, extended)
            if not any(True for _ in variables(rewrittenc)):
                if not holds(rewrittenc, {}):
                    return None
                progress = True
                continue
            assigned = assignment(rewrittenc)
            if assigned is None:
                still.append(rewrittenc)
                continue
            name, expression = assigned
            try:
                extended[name] = evaluate(expression, {})
            except NotANumber:
                return None
            progress = True
        waiting = still
    return Settled(extended, tuple(waiting))


def assignment(comparison: tree.Comparison, known: frozenset[str] = frozenset()) -> tuple[str, tree.Term] | None:
    """`X = expression` with a known expression, either way round."""
    if comparison.operator != "=":
        return None
    for target, source in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        if (
            isinstance(target, tree.Variable)
            and target.name not in known
            and all(v.name in known for v in variables(source))
        ):
            return target.name, source
    return None
