"""Which instances of an answer have hypotheses that do not prove what they deny.

`f(X) [1], not f(X)` asks for f one time point before the evaluation, as the later one is ruled out; f(X,Z) and
not f(X,1) ask for a Z other than 1. An object that is still open stands for an arbitrary one: what is proved for it is
proved for all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TypeAlias

from larspark.hypothetical.answers.answers import Signed, SupportedAnswer
from larspark.hypothetical.negation.negation import NegationJudge
from larspark.hypothetical.theory.conditions import settle
from larspark.hypothetical.theory.terms import ABSOLUTE, Substitution, Time, Var, apply, names, time_names
from larspark.language import tree
from larspark.language.values import Value

Ranges: TypeAlias = Mapping[str, tuple[int | None, int | None]]


def coherent_parts(answer: SupportedAnswer, ranges: Ranges, negation: NegationJudge) -> list[SupportedAnswer]:
    """The answer with what must be excepted, or, where that hangs on its open times, its instances one by one."""
    if not any(signed.negative for signed in answer.hypotheses):
        return [answer]
    instances = _instances(answer, ranges)
    found = [_ruled_out(one, negation) for one in instances]
    if found and found[0] is not None and all(ruled == found[0] for ruled in found):
        return [found[0].without(answer)]
    return [ruled.without(one) for ruled, one in zip(found, instances, strict=True) if ruled is not None]


def at_times(answer: SupportedAnswer, known: Mapping[str, int]) -> SupportedAnswer:
    """The answer with values for some of its open times."""
    if not known:
        return answer
    bound: Substitution = {name: Time(ABSOLUTE, value) for name, value in known.items()}
    return replace(
        answer,
        answer=Signed(answer.answer).apply(bound).literal,
        hypotheses=frozenset(signed.apply(bound) for signed in answer.hypotheses),
        times={**answer.times, **known},
    )


def _instances(answer: SupportedAnswer, ranges: Ranges) -> list[SupportedAnswer]:
    """One per choice of the open times; these lie between now and the horizon."""
    found: list[SupportedAnswer] = []
    for chosen in product(*(range(low or 0, (high or 0) + 1) for low, high in ranges.values())):
        times = dict(zip(ranges, chosen, strict=True))
        if answer.differences.admit({**answer.times, **times}):
            found.append(at_times(answer, times))
    return found


@dataclass(frozen=True)
class _RuledOut:
    """Values that objects cannot have, and objects that cannot be the same."""

    exceptions: frozenset[tuple[tuple[str, Value], ...]] = frozenset()
    unequal: tuple[tuple[str, str], ...] = ()

    def without(self, answer: SupportedAnswer) -> SupportedAnswer:
        apart = (tree.Comparison("!=", tree.Variable(one), tree.Variable(other)) for one, other in self.unequal)
        return replace(answer, exceptions=answer.exceptions | self.exceptions, conditions=(*answer.conditions, *apart))


def _ruled_out(answer: SupportedAnswer, negation: NegationJudge) -> _RuledOut | None:
    """What the open objects must avoid; None when nothing helps."""
    literals = [signed.literal for signed in answer.hypotheses]
    objects = sorted(set(names(literals)) - set(time_names(literals)))
    arbitrary: Substitution = {name: f"any {name}" for name in objects}

    def fails(binding: Mapping[str, Value]) -> bool:
        bound: Substitution = {**arbitrary, **binding}
        return not negation.coherent(frozenset(signed.apply(bound) for signed in answer.hypotheses))

    if fails({}):
        return None
    denied = [apply(signed.literal, arbitrary) for signed in answer.hypotheses if signed.negative]
    proofs = (schema for lit in denied if lit.ground for schema in negation.live(lit))
    literals += (lit for schema in proofs for lit in (*schema.awaited, *schema.negated))
    values = {arg for lit in literals for arg in lit.args if not isinstance(arg, Var | Time)} - {*arbitrary.values()}
    places = [
        (name, value)
        for name in objects
        for value in sorted(values, key=str)
        if settle(answer.conditions, {name: value}) is not None
    ]
    single = {place for place in places if fails(dict([place]))}
    double = {
        (one, other)
        for one, other in combinations(places, 2)
        if one[0] != other[0] and not {one, other} & single and fails(dict((one, other)))
    }
    unequal = tuple(pair for pair in combinations(objects, 2) if fails(dict.fromkeys(pair, "any")))
    return _RuledOut(frozenset({*((one,) for one in single), *double}), unequal)
