"""Body literals as the grounder reads them, and the order in which it takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from larspark.language.traversal import variables
from larspark.language.tree import (
    Aggregate,
    Always,
    At,
    Atom,
    Comparison,
    Formula,
    Node,
    Not,
    Some,
    Term,
    Truth,
    Variable,
    Window,
    Windowed,
)
from larspark.reasoners.answer_update.nodes import Mode


@dataclass(frozen=True)
class Lookup:
    """An extended atom in a body."""

    atom: Atom
    windows: tuple[Window, ...] = ()
    mode: Mode = Mode.PLAIN
    time: Term | None = None
    negated: bool = False
    internal: bool = False
    """Its predicate is defined in the stratum of the rule, so it is not decided yet."""


@dataclass(frozen=True)
class Test:
    """A comparison; `binds` names the variable that `X = expression` computes."""

    comparison: Comparison
    negated: bool = False
    binds: str | None = None
    value: Term | None = None


@dataclass(frozen=True)
class Element:
    """One `terms : literals` of an aggregate, its literals in evaluation order."""

    terms: tuple[Term, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Aggregation:
    aggregate: Aggregate
    elements: tuple[Element, ...] = ()
    negated: bool = False
    binds: str | None = None


@dataclass(frozen=True)
class Verdict:
    """`true` or `false` as a literal."""

    value: bool


Step: TypeAlias = Lookup | Test | Aggregation | Verdict


def read_literal(literal: Formula, internal: frozenset[tuple[str, int]], negated: bool = False) -> Step:
    """A plain literal; the analysis has refused everything else."""
    match literal:
        case Not(body):
            return read_literal(body, internal, not negated)
        case Comparison():
            return Test(literal, negated)
        case Aggregate():
            return Aggregation(literal, negated=negated)
        case Truth(value):
            return Verdict(value is not negated)
    windows: list[Window] = []
    while isinstance(literal, Windowed):
        windows.append(literal.window)
        literal = literal.body
    mode, time = Mode.PLAIN, None
    match literal:
        case Some(body):
            mode, literal = Mode.SOME, body
        case Always(body):
            mode, literal = Mode.ALWAYS, body
        case At():
            mode, time, literal = Mode.AT, literal.time, literal.body
    if not isinstance(literal, Atom):
        raise TypeError(f"{literal!r} is not a plain literal")
    inside = not windows and literal.signature in internal
    return Lookup(literal, tuple(windows), mode, time, negated, inside)


def order(steps: Iterable[Step], bound: frozenset[str] = frozenset()) -> tuple[Step, ...]:
    """The steps such that each finds its variables bound: tests as early as possible, then lookups in text order."""
    waiting, ordered, known = list(steps), list[Step](), set(bound)
    while waiting:
        step = min(waiting, key=lambda step: _urgency(step, known))
        waiting.remove(step)
        step = _prepared(step, known, waiting)
        ordered.append(step)
        known |= _bound_by(step)
    return tuple(ordered)


def _urgency(step: Step, known: set[str]) -> int:
    """0 = costs nothing, 1 = a lookup, 2 = an aggregate, 3 = must wait for others to bind its variables."""
    match step:
        case Verdict():
            return 0
        case Test(comparison):
            return 0 if names(comparison) <= known or _computable(comparison, known) else 3
        case Lookup(negated=False):
            return 1 if names(*step.windows) <= known and _expressions(step) <= known | _bound_by(step) else 3
        case Lookup():
            used = names(step.atom, *_times(step), *step.windows)
            return 0 if {name for name in used if not name.startswith("_")} <= known else 3
        case Aggregation():
            return 2  # after every lookup that could bind one of its global variables


def _prepared(step: Step, known: set[str], others: Sequence[Step]) -> Step:
    match step:
        case Test(comparison, False) if (computable := _computable(comparison, known)) and not (
            names(comparison) <= known
        ):
            return Test(comparison, False, *computable)
        case Aggregation(aggregate, negated=negated):
            result, computes = aggregate.result, aggregate.operator == "=" and not negated
            binds = result.name if computes and isinstance(result, Variable) and result.name not in known else None
            elements = tuple(
                Element(
                    element.terms,
                    order((read_literal(literal, frozenset()) for literal in element.body), frozenset(known)),
                )
                for element in aggregate.elements
            )
            return Aggregation(aggregate, elements, negated, binds)
    return step


def _computable(comparison: Comparison, known: set[str]) -> tuple[str, Term] | None:
    """The variable that an equation computes, and from what."""
    if comparison.operator != "=":
        return None
    for target, value in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        if isinstance(target, Variable) and target.name not in known and names(value) <= known:
            return target.name, value
    return None


def _bound_by(step: Step) -> set[str]:
    match step:
        case Lookup(negated=False):
            terms = (*step.atom.args, *_times(step))
            return {term.name for term in terms if isinstance(term, Variable)}
        case Test(binds=str(name)) | Aggregation(binds=str(name)):
            return {name}
    return set()


def _expressions(lookup: Lookup) -> set[str]:
    """Variables that a lookup computes with."""
    terms = (*lookup.atom.args, *_times(lookup))
    return names(*(term for term in terms if not isinstance(term, Variable)))


def _times(lookup: Lookup) -> tuple[Term, ...]:
    return () if lookup.time is None else (lookup.time,)


def names(*nodes: Node) -> set[str]:
    return {variable.name for node in nodes for variable in variables(node)}
