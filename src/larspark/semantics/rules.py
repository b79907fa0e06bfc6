"""Rules and their ground instances (thesis Def. 15 and sec. 3.2.2, non-ground programs)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Signature
from larspark.language.traversal import atoms, walk
from larspark.language.tree import (
    Aggregate,
    Always,
    And,
    At,
    Atom,
    Formula,
    Implies,
    IntervalWindow,
    Node,
    Not,
    Or,
    Reset,
    Rule,
    Some,
    Windowed,
    WindowNode,
)
from larspark.language.values import NotANumber
from larspark.semantics.entailment import conjunction, ground, solutions, windowed
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.names import Enumerate, all_names, order, solved, time_names
from larspark.semantics.structures import Binding, Place

Signatures = frozenset[Signature]


@dataclass(frozen=True)
class OrderedRule:
    """A rule with its body in solving order."""

    rule: Rule
    steps: tuple[Formula | Enumerate, ...]
    negatives: tuple[Formula, ...]
    """Body literals that are not among the steps because they are evaluated on another stream (`fixpoint`)."""
    time_variables: frozenset[str]

    @classmethod
    def of(
        cls, rule: Rule, body: tuple[Formula, ...] | None = None, negatives: tuple[Formula, ...] = ()
    ) -> OrderedRule:
        """The rule, or the rule with this part of its body."""
        body = rule.body if body is None else body
        outside = all_names([rule.head]) | {name for part in negatives for name in solved(part)}
        steps = order(body, frozenset(), outside)
        bound = {step.name for step in steps if isinstance(step, Enumerate)}.union(*map(solved, body))
        missing = tuple(Enumerate(name) for name in sorted(outside - bound))
        return cls(rule, steps + missing, negatives, time_names(rule))

    def instances(self, place: Place, elsewhere: Place | None = None) -> Iterator[Binding]:
        """The substitutions under which the body holds; the negatives are evaluated `elsewhere`.

        A time variable stands for time points of the timeline only: there is no instance for another value.
        """
        timeline = place.m.stream
        for binding in conjunction(place, self.steps, self.rule, {}):
            times = [binding[name] for name in self.time_variables if name in binding]
            if all(isinstance(time, int) and time in timeline for time in times) and all(
                any(True for _ in solutions(elsewhere or place, literal, binding)) for literal in self.negatives
            ):
                yield binding


# -- heads -----------------------------------------------------------------------------------------


def is_definite(head: Formula, intensional: Signatures) -> bool:
    """Whether the head says exactly which intensional atoms hold: `a`, `@T a`, or several of them.

    `always a [from T1 to T2]` is several: a at each of finitely many time points.
    """
    match head:
        case Atom():
            return head.signature in intensional
        case At(_, Atom() as atom) | Windowed(IntervalWindow(), Always(Atom() as atom)):
            return atom.signature in intensional
        case And(parts):
            return all(is_definite(part, intensional) for part in parts)
        case _:
            return False


def exists(place: Place, head: Formula, binding: Binding) -> bool:
    """Whether a head has a ground instance: every term in it has a value, and what it names as a time is one."""
    try:
        for part in walk(head):
            match part:
                case Atom():
                    ground(place.m, part, binding)
                case At(term):
                    if not isinstance(place.m.value(term, binding), int):
                        return False
    except NotANumber:
        return False
    return True


def demanded(place: Place, head: Formula, binding: Binding) -> list[TimedFact] | None:
    """The atoms that make a definite head true; None if nothing does, since its time lies outside the timeline.

    Raises NotANumber if the head has no ground instance under the binding.
    """
    match head:
        case Atom():
            return [(place.time, ground(place.m, head, binding))]
        case At(term, Atom() as atom):
            fact, time = ground(place.m, atom, binding), place.m.value(term, binding)
            if not isinstance(time, int):
                raise NotANumber(f"{time} is not a time point")
            return [(time, fact)] if time in place.stream else None
        case Windowed(IntervalWindow() as window, Always(Atom() as atom)):
            fact, inside = ground(place.m, atom, binding), windowed(place, window, binding).stream
            if inside.end is None:
                raise Rejected([_endless(head)])
            return [(time, fact) for time in range(inside.start, inside.end + 1)] or None
        case And(parts):
            below = [demanded(place, part, binding) for part in parts]
            return None if None in below else [timed for part in below for timed in part or ()]
        case _:
            raise TypeError("the head is not definite")


def possible(place: Place, head: Formula, binding: Binding) -> Iterator[TimedFact]:
    """All atoms on whose truth a head of any form can depend."""
    match head:
        case Atom():
            if place.time in place.stream:
                yield place.time, ground(place.m, head, binding)
        case At(term, body):
            time = place.m.value(term, binding)
            if isinstance(time, int) and time in place.stream:
                yield from possible(place.at(time), body, binding)
        case Some(body) | Always(body):
            if place.stream.end is None:
                raise Rejected([_endless(head)])
            for time in range(place.stream.start, place.stream.end + 1):
                yield from possible(place.at(time), body, binding)
        case Windowed(window, body):
            yield from possible(windowed(place, window, binding), body, binding)
        case Reset(body) | Not(body):
            yield from possible(place.on(place.m.stream) if isinstance(head, Reset) else place, body, binding)
        case And(parts) | Or(parts):
            for part in parts:
                yield from possible(place, part, binding)
        case Implies(left, right):
            yield from possible(place, left, binding)
            yield from possible(place, right, binding)
        case _:
            return


def _endless(head: Formula) -> Diagnostic:
    return Diagnostic(
        "E503",
        "The head speaks about every time point, and the time points of an evaluation go on for ever.",
        "Put a window around it: `always a [5]`, `always a [+5]`; `--timeline` only says where the data lies.",
        head.origin,
    )


# -- how a body depends on predicates --------------------------------------------------------------


def mentions(node: Node, signatures: Signatures) -> bool:
    """Whether the truth of the formula may depend on these predicates; a window function may look at anything."""
    return any(
        (isinstance(part, WindowNode) and part.sees_everything)
        or (isinstance(part, Atom) and part.signature in signatures)
        for part in walk(node)
    )


def is_monotone(formula: Formula, signatures: Signatures) -> bool:
    """Whether more atoms of these predicates can never make the formula false.

    Time, filter and interval windows are monotone; tuple windows select the same whatever is derived (sec. 3.2.3).
    """
    if not mentions(formula, signatures):
        return True
    match formula:
        case Atom():
            return True
        case And(parts) | Or(parts):
            return all(is_monotone(part, signatures) for part in parts)
        case Some(body) | Always(body) | At(_, body) | Reset(body):
            return is_monotone(body, signatures)
        case Windowed(window, body):
            return not window.sees_everything and is_monotone(body, signatures)
        case _:
            return False


def recursive_aggregates(rule: Rule, signatures: Signatures) -> list[Aggregate]:
    """Aggregates over these predicates."""
    found = (part for part in walk(rule) if isinstance(part, Aggregate))
    return [part for part in found if any(atom.signature in signatures for atom in atoms(part))]
