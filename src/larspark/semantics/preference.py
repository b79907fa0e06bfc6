"""Preferred answer streams: what optimal answer sets are for weak constraints (ASP-Core-2 standard).

`#prefer w@l, t : body.` is the weak constraint `:~ body. [-w@l, t]`: a weight is a gain here and not a cost. Distinct
tuples (w, l, t) count once, whichever preference gives them, and a higher level outweighs all lower ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from larspark.language.facts import Fact
from larspark.language.tree import Program, Term
from larspark.language.values import NotANumber, Value
from larspark.semantics.interpretations import Interpretation
from larspark.semantics.reduct import interpreted
from larspark.semantics.rules import OrderedRule
from larspark.semantics.structures import PLAIN, Environment, Place, Structure


def preferred(
    program: Program,
    found: Sequence[Interpretation],
    at: int,
    *,
    background: Iterable[Fact] = (),
    environment: Environment = PLAIN,
) -> list[Interpretation]:
    """Those of the answer streams at a time point that no other one is better than."""
    rules = [(preference.entry, OrderedRule.of(preference.rule)) for preference in program.preferences]
    levels = sorted({preference.level for preference in program.preferences}, reverse=True)
    known = tuple(background)
    gains: list[list[Fraction]] = []
    for one in found:
        m = Structure.of(one.data, known, now=at, environment=environment, mentioning=[program])
        tuples = _tuples(rules, interpreted(m, at, one.atoms))
        gains.append([_gain(tuples, level) for level in levels])
    best = max(gains, default=None)
    return [one for one, gain in zip(found, gains, strict=True) if gain == best]


def _gain(tuples: set[tuple[Value, ...]], level: int) -> Fraction:
    """The sum of the weights of a level, with as many digits as it takes: it is compared and no value of a program."""
    return sum((Fraction(weight) for weight, own, *_ in tuples if own == level), Fraction(0))


def _tuples(rules: Sequence[tuple[tuple[Term, ...], OrderedRule]], place: Place) -> set[tuple[Value, ...]]:
    """(w, l, t) for every ground instance whose body holds; a weight that is no number gives none."""
    found: set[tuple[Value, ...]] = set()
    for terms, rule in rules:
        for binding in rule.instances(place):
            try:
                entry = tuple(place.m.value(term, binding) for term in terms)
            except NotANumber:
                continue
            if not isinstance(entry[0], str):
                found.add(entry)
    return found
