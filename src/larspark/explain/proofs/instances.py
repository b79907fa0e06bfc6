"""The instances of a rule that give an atom: the head is matched first, so that only its own are looked for."""

from __future__ import annotations

from collections.abc import Iterator

from larspark.explain.evaluations.matching import AtomIndex, body_solutions, matched
from larspark.language.tree import (
    Always,
    And,
    At,
    Atom,
    Constant,
    Formula,
    Operation,
    Or,
    Reset,
    Rule,
    Some,
    Term,
    Variable,
    Windowed,
)
from larspark.language.values import NotANumber
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.names import all_names
from larspark.semantics.rules import possible
from larspark.semantics.structures import Binding, Place


def instances(place: Place, index: AtomIndex, rule: Rule, target: TimedFact) -> Iterator[Binding]:
    """The substitutions under which the body holds and the head speaks about the atom."""
    seen: set[frozenset[tuple[str, object]]] = set()
    for start in head_bindings(place, rule.head, target):
        for binding in body_solutions(place, index, rule.body, rule, start, all_names([rule.head])):
            key = frozenset(binding.items())
            if (
                key not in seen
                and on_timeline(place, index, rule, binding)
                and gives(place, rule.head, binding, target)
            ):
                seen.add(key)
                yield binding


def gives(place: Place, head: Formula, binding: Binding, target: TimedFact) -> bool:
    """Whether the head speaks about the atom."""
    if isinstance(head, Atom) and all(isinstance(arg, Variable | Constant) for arg in head.args):
        return True  # it was matched with it
    try:
        return target in set(possible(place, head, binding))  # all of it: an instance without a value is none
    except (NotANumber, KeyError):
        return False


def on_timeline(place: Place, index: AtomIndex, rule: Rule, binding: Binding) -> bool:
    """A time variable stands for time points of the timeline only."""
    times = (binding[name] for name in index.time_names(rule) if name in binding)
    return all(isinstance(time, int) and time in place.m.stream for time in times)


def head_bindings(place: Place, head: Formula, target: TimedFact) -> Iterator[Binding]:
    """What the head says about its variables when it gives this atom; computed arguments say nothing."""
    yield from _matched(head, target, place.time, {})


def _matched(head: Formula, target: TimedFact, time: int | None, binding: Binding) -> Iterator[Binding]:
    """`time` is the time point that the head speaks about, None for any."""
    point, fact = target
    match head:
        case Atom():
            if time in (None, point) and (found := matched(head, fact, binding)) is not None:
                yield found
        case At(term, body):
            found = _at(term, point, binding)
            if found is not None:
                yield from _matched(body, target, None, found)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _matched(part, target, time, binding)
        case Windowed(_, body) | Reset(body):
            yield from _matched(body, target, time, binding)
        case Some(body) | Always(body):
            yield from _matched(body, target, None, binding)


def _at(term: Term, point: int, binding: Binding) -> Binding | None:
    match term:
        case Variable(name):
            return {**binding, name: point} if binding.get(name, point) == point else None
        case Operation("+", Variable() as earlier, Constant(int(shift))):
            return _at(earlier, point - shift, binding)
        case Operation("-", Variable() as later, Constant(int(shift))):
            return _at(later, point + shift, binding)
        case Constant(value):
            return binding if value == point else None
    return binding
