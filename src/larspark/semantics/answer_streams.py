"""The answer streams of a program (thesis Def. 18)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.tree import (
    Always,
    And,
    At,
    Formula,
    Or,
    Program,
    Reset,
    Some,
    Truth,
    Windowed,
)
from larspark.language.values import NotANumber
from larspark.semantics.components import RuleLayer, components, intensional
from larspark.semantics.fixpoint import ROUNDS, endless
from larspark.semantics.interpretations import Atoms, Interpretation, TimedFact, by_time, canonical
from larspark.semantics.reduct import enumerate_answer_streams, interpreted, is_model, reduct
from larspark.semantics.rules import OrderedRule, Signatures, is_monotone, possible
from larspark.semantics.streams import Stream
from larspark.semantics.structures import PLAIN, Environment, Structure

LIMIT = 1 << 14
"""How many candidates are tried before an enumeration is refused."""


def answer_streams(
    program: Program,
    stream: Stream,
    at: int,
    *,
    background: Iterable[Fact] = (),
    count: int | None = None,
    limit: int | None = None,
    environment: Environment = PLAIN,
    predicates: Collection[str] | None = None,
) -> list[Interpretation]:
    """All answer streams of a resolved program at a time point; none is the empty list.

    On an open timeline the data up to `at` is taken, or its first `count` arrivals (a tick); a closed stream is
    taken as it is. `predicates` says which predicates of heads are intensional, by default all of them.
    """
    data = stream.until(at, count) if stream.open or count is not None else stream
    derivable = intensional(program, predicates)
    m = Structure.of(data, background, now=at, environment=environment, mentioning=[program])
    found = _solve(components(program, derivable), m, at, LIMIT if limit is None else limit)
    return [Interpretation(data, by_time(atoms), derivable) for atoms in sorted(found, key=canonical)]


def _solve(parts: Sequence[RuleLayer], m: Structure, time: int, limit: int) -> Iterator[Atoms]:
    """The answer streams of the first component, each continued by those of the others."""
    if not parts:
        yield frozenset()
        return
    first, *rest = parts
    for atoms in _of_component(first, m, time, limit):
        place = interpreted(m, time, atoms)
        if is_model(reduct(first.checks, place), place):
            for others in _solve(rest, place.m, time, limit):
                yield atoms | others


def _of_component(component: RuleLayer, m: Structure, time: int, limit: int) -> Iterator[Atoms]:
    if component.definite is not None:
        return component.definite.answer_streams(m, time, limit)
    potential = potential_atoms(component, m, time)
    return enumerate_answer_streams(component.rules, m, time, potential, limit)


# -- what is derivable at all ----------------------------------------------------------------------


def potential_atoms(component: RuleLayer, m: Structure, time: int) -> Atoms:
    """A superset of every answer stream: what the rules can conclude when nothing stands against it."""
    relaxed = [
        OrderedRule.of(rule.rule, tuple(relax(literal, component.own) for literal in rule.rule.body))
        for rule in component.rules
    ]
    known: Atoms = frozenset()
    for _ in range(ROUNDS):
        place = interpreted(m, time, known)
        found: set[TimedFact] = set()
        for rule in relaxed:
            for binding in rule.instances(place):
                try:
                    found.update(possible(place, rule.rule.head, binding))
                except NotANumber:
                    continue
        new = frozenset(
            timed for timed in found if timed[1].signature in component.own and timed[1] not in m.stream.at(timed[0])
        )
        if new <= known:
            return known
        known |= new
    raise Rejected([endless()])


def relax(formula: Formula, own: Signatures) -> Formula:
    """A formula monotone in the own predicates that holds wherever the given one may."""
    if is_monotone(formula, own):
        return formula
    match formula:
        case And(parts):
            return And(tuple(relax(part, own) for part in parts))
        case Or(parts):
            return Or(tuple(relax(part, own) for part in parts))
        case Some(body):
            return Some(relax(body, own))
        case Always(body):
            return Always(relax(body, own))
        case At(term, body):
            return At(term, relax(body, own))
        case Reset(body):
            return Reset(relax(body, own))
        case Windowed(window, body) if not window.sees_everything:
            return Windowed(window, relax(body, own))
        case _:
            return Truth(True)
