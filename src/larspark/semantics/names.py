"""Which variables a formula has, which of them it binds, and in which order to solve a conjunction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from larspark.language.traversal import children, time_variables, walk
from larspark.language.tree import (
    Aggregate,
    Always,
    And,
    At,
    Atom,
    Comparison,
    Constant,
    Formula,
    Implies,
    IntervalWindow,
    Node,
    Not,
    Or,
    Reset,
    Some,
    Term,
    Truth,
    Variable,
    Windowed,
)

Names = frozenset[str]
_SIZE = 1 << 14


@lru_cache(_SIZE)
def names(node: Node) -> Names:
    """The free variables: what occurs only inside the braces of an aggregate is local to its element.

    And `_` in what is negated to the negation: it is existential there.
    """
    match node:
        case Variable(name):
            return frozenset({name})
        case Aggregate(_, _, result, _):
            return names(result)
        case Not(body):
            return _named(body)
        case Implies(left, right):
            return _named(left) | names(right)
        case _:
            return frozenset().union(*map(names, children(node)))


def _named(node: Node) -> Names:
    return frozenset(name for name in names(node) if not name.startswith("_"))


def all_names(nodes: Iterable[Node]) -> Names:
    return frozenset(name for node in nodes for name in names(node))


time_names = lru_cache(_SIZE)(time_variables)


@lru_cache(_SIZE)
def bindable(formula: Formula) -> Names:
    """Variables for which the formula itself names all values that can make it true."""
    match formula:
        case Atom(_, args):
            return frozenset(arg.name for arg in args if isinstance(arg, Variable))
        case At(Variable(name), body):
            return bindable(body) | {name}
        case At(_, body) | Some(body) | Always(body) | Windowed(_, body) | Reset(body):
            return bindable(body)
        case And(parts):
            return frozenset().union(*map(bindable, parts))
        case Or(parts):
            return frozenset.intersection(*map(bindable, parts)) if parts else frozenset()
        case Comparison("=", Variable(name), _) | Comparison("=", _, Variable(name)):
            return frozenset({name})
        case Aggregate(_, "=", Variable(name), _):
            return frozenset({name})
        case _:
            return frozenset()


def somewhere(formula: Formula, wanted: Names) -> Formula:
    """What holds in a stream if the formula holds in a part of it; it tells the values of the wanted variables."""
    match formula:
        case Atom():
            return Some(formula)
        case At(Variable(name), Atom()) if name in wanted:
            return formula
        case At(_, body) | Some(body) | Always(body) | Windowed(_, body):
            return somewhere(body, wanted)
        case And(parts):
            return And(tuple(somewhere(part, wanted) for part in parts))
        case _:
            return Truth(True)


@lru_cache(_SIZE)
def solved(node: Node) -> Names:
    """Variables that have a value once the formula is solved: all but those local to an aggregate or a negation."""
    match node:
        case Aggregate() | Not() | Atom() | Comparison():
            return names(node)
        case Variable(name):
            return frozenset({name})
        case _:
            return frozenset().union(*map(solved, children(node)))


@dataclass(frozen=True, slots=True)
class Enumerate:
    """Let a variable range over all its values; nothing in the conjunction binds it."""

    name: str


@lru_cache(_SIZE)
def order(parts: tuple[Formula, ...], bound: Names, outside: Names) -> tuple[Formula | Enumerate, ...]:
    """The conjunction in an order in which each part finds the variables bound that it cannot bind itself.

    `outside` are variables used elsewhere in the rule: inside an aggregate they are not local.
    """
    steps: list[Formula | Enumerate] = []
    remaining = list(parts)
    while remaining:
        unmet = [
            (sorted(_needed(part, outside | all_names(p for p in remaining if p is not part), bound) - bound), at, part)
            for at, part in enumerate(remaining)
        ]
        missing, at, part = min(
            unmet,
            key=lambda entry: (len(entry[0]), _open_ended(entry[2], bound), len(names(entry[2]) - bound), entry[1]),
        )
        if missing:
            # What one part computes from what another names, and that one from it: first what the atom may stand for.
            possible = (_instances(one, f"_{parts.index(one)}") for one in remaining)
            seen = next((one for one in possible if one and names(one) & all_names(parts) - bound), None)
            steps.append(seen or Enumerate(missing[0]))
            bound |= names(seen) if seen else {missing[0]}
        else:
            steps.append(remaining.pop(at))
            bound |= solved(part)
    return tuple(steps)


def _instances(part: Formula, name: str) -> Some | None:
    """The atom of a positive part anywhere in the stream, with anything, by names like this, where it computes."""
    match part:
        case Atom(args=args):
            anything = (
                arg if isinstance(arg, Variable | Constant) else Variable(f"{name}.{place}")
                for place, arg in enumerate(args)
            )
            return Some(replace(part, args=tuple(anything)))
        case At(_, body) | Some(body) | Always(body) | Windowed(_, body):
            return _instances(body, name)
    return None


def _open_ended(part: Formula, bound: Names) -> bool:
    """`@T a` in no window can hold at infinitely many T, so it comes after all that may bind T.

    So does an interval whose bounds have no values yet.
    """
    if isinstance(part, At):
        return not names(part.time) <= bound
    return any(isinstance(node, IntervalWindow) and not names(node) <= bound for node in walk(part))


def equations(part: Comparison) -> tuple[tuple[str, Term], ...]:
    """Which variable an equation gives a value, and from which term; `X = Y` can be read both ways."""
    sides = ((part.left, part.right), (part.right, part.left)) if part.operator == "=" else ()
    return tuple(
        (target.name, source)
        for target, source in sides
        if isinstance(target, Variable) and target.name not in names(source)
    )


def _needed(part: Formula, elsewhere: Names, bound: Names) -> Names:
    """What must be bound before the part is solved."""
    match part:
        case Comparison():
            sources = (names(source) for _, source in equations(part))
            return min(sources, key=lambda source: len(source - bound), default=names(part))
        case Aggregate(_, _, result, elements):
            inside = all_names(elements) & (elsewhere | names(result))
            return inside | (names(result) - bindable(part))
        case Not() | Implies():
            shared = _inside_aggregates(part) & elsewhere
            return shared | _named(part)
        case _:
            return (names(part) - bindable(part)) | (_inside_aggregates(part) & elsewhere)


def _inside_aggregates(node: Node) -> Names:
    return all_names(element for found in walk(node) if isinstance(found, Aggregate) for element in found.elements)
