"""From ground rules to propositions.

On a closed timeline with fixed input, a window operator selects time points and atoms by the same measure whatever
is derived: time, interval and filter windows look at each atom by itself, tuple windows at the input alone. So the
window functions of the judge, applied to a stream that has *every* derivable atom, tell which atoms a formula can
see, and ◇, □ and @ become disjunctions, conjunctions and single time points.
"""

from __future__ import annotations

from larspark.diagnostics import Diagnostic, Rejected
from larspark.equivalence.propositions import (
    Holds,
    Proposition,
    PropositionalClause,
    conjunction,
    disjunction,
    negation,
)
from larspark.equivalence.setting import Setting, without_value
from larspark.language.tree import (
    Aggregate,
    Always,
    And,
    At,
    Atom,
    Comparison,
    Formula,
    Implies,
    Not,
    Or,
    Program,
    Ranked,
    Reset,
    Rule,
    Some,
    Truth,
    Windowed,
)
from larspark.language.values import NotANumber
from larspark.semantics.entailment import entails, ground, windowed
from larspark.semantics.interpretations import Atoms
from larspark.semantics.reduct import interpreted
from larspark.semantics.structures import Place


def unfold(program: Program, setting: Setting, universe: Atoms) -> tuple[PropositionalClause, ...]:
    """The rules as clauses over the universe, the atoms that may be in an interpretation beyond the data."""
    place = interpreted(setting.structure, setting.at, universe)
    return tuple(_clause(rule, place, universe) for rule in program.rules)


def _clause(rule: Rule, place: Place, universe: Atoms) -> PropositionalClause:
    try:
        body = conjunction(_unfold(literal, place, universe) for literal in rule.body)
        return PropositionalClause(body, _unfold(rule.head, place, universe))
    except NotANumber:
        raise Rejected([without_value(rule)]) from None


def _unfold(formula: Formula, place: Place, universe: Atoms) -> Proposition:
    m, stream, time = place
    match formula:
        case Atom():
            fact = ground(m, formula, {})
            if fact not in stream.at(time):
                return not stream.empty and m.is_background(fact)
            return Holds((time, fact)) if (time, fact) in universe else True
        case Truth() | Comparison():
            return entails(place, formula, {})
        case Not(body):
            return negation(_unfold(body, place, universe))
        case And(parts):
            return conjunction(_unfold(part, place, universe) for part in parts)
        case Or(parts):
            return disjunction(_unfold(part, place, universe) for part in parts)
        case Implies(left, right):
            return disjunction((negation(_unfold(left, place, universe)), _unfold(right, place, universe)))
        case Some(body):
            return disjunction(_unfold(body, place.at(other), universe) for other in _timeline(place))
        case Always(body):
            if stream.empty:
                return False
            return conjunction(_unfold(body, place.at(other), universe) for other in _timeline(place))
        case At(term, body):
            other = m.value(term, {})
            return isinstance(other, int) and other in stream and _unfold(body, place.at(other), universe)
        case Windowed(window, body):
            return _unfold(body, windowed(place, window, {}), universe)
        case Reset(body):
            return _unfold(body, place.on(m.stream), universe)
        case Ranked():
            raise TypeError("resolving spells ranks out")
        case Aggregate():
            raise Rejected([_aggregate(formula)])


def _timeline(place: Place) -> range:
    end = place.stream.end
    if end is None:
        raise ValueError("programs are compared on a closed timeline")
    return range(place.stream.start, end + 1)


def _aggregate(formula: Aggregate) -> Diagnostic:
    return Diagnostic(
        "E531",
        "Programs with aggregates cannot be compared.",
        "Write the aggregate out as rules over the atoms in question.",
        formula.origin,
    )
