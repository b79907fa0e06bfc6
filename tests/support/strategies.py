"""Hypothesis strategies for random scenarios.

The program comes from a random number, so that examples differ as much as they can; what hypothesis shrinks are
the rules, the literals that bind nothing, and the arrivals: a drawn 0 leaves one out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType

from hypothesis import strategies as st

from larspark.language.tree import Aggregate, Comparison, Formula, Not, Rule
from larspark.semantics.streams import Stream
from support.random_programs import Scenario, Shape, focused_scenario, random_scenario

POSITIVE = Shape(negation="none", aggregates=False)
STRATIFIED = Shape()
CONSTRAINED = replace(STRATIFIED, constraints=True)
CHOICES = Shape(negation="free", aggregates=False, constraints=True)
DISJUNCTIVE = replace(CHOICES, disjunction=True, rules=4)
PREFERRING = replace(CHOICES, rules=2, preferences=3)
ARRIVING = replace(STRATIFIED, arriving=True)
KNOTTED = replace(CHOICES, rules=1, constraints=False, background=False, knots=True)
GROUND = replace(CHOICES, variables=False, arithmetic=False, background=False)

WIDE = Shape(rules=4, wide=True, constraints=True)
WIDE_PLAIN = replace(WIDE, aggregates=False, constraints=False)
WIDE_CHOICES = replace(WIDE, rules=3, negation="free")
WIDE_DISJUNCTIVE = replace(WIDE_CHOICES, disjunction=True)
WIDE_PREFERRING = replace(WIDE_CHOICES, rules=2, preferences=2)
WIDE_FULL = replace(WIDE, rules=3, full=True, preferences=1)
DENSE = replace(WIDE, rules=2, constraints=False, dense=True)

MIXTURE: Mapping[Shape, float] = MappingProxyType(
    {
        DENSE: 10,
        WIDE: 9,
        WIDE_PLAIN: 4,
        WIDE_CHOICES: 2,
        WIDE_DISJUNCTIVE: 1.5,
        WIDE_PREFERRING: 1,
        STRATIFIED: 1,
        CHOICES: 1,
        KNOTTED: 2,
        ARRIVING: 1,
    }
)
"""How often which shape is tried where programs are counted; the narrow ones have longer streams."""

FOCUSED = 0.6
"""The part of the programs that are small and about one thing."""


def numbered(seed: int, number: int) -> Scenario:
    """The scenario of this number, the same in every run."""
    random = Random(f"{seed}:{number}")
    if random.random() < FOCUSED:
        return focused_scenario(random, seed + number)
    (shape,) = random.choices(list(MIXTURE), list(MIXTURE.values()))
    return random_scenario(random, shape)


@st.composite
def scenarios(draw: Callable[[st.SearchStrategy[int]], int], shape: Shape = STRATIFIED) -> Scenario:
    full = random_scenario(Random(draw(st.integers(0, 2**48))), shape)

    def kept() -> bool:
        return draw(st.integers(0, 30)) > 0

    def thinned(rule: Rule) -> Rule:
        return replace(rule, body=tuple(part for part in rule.body if not _optional(part) or kept()))

    rules = tuple(thinned(rule) for rule in full.program.rules if kept())
    arrivals = [arrival for arrival in full.stream.input if kept()]
    return replace(
        full, program=replace(full.program, rules=rules), stream=Stream.of(full.stream.start, None, arrivals)
    )


def _optional(part: Formula) -> bool:
    """Whether the rule stays safe without the literal."""
    return isinstance(part, Not | Comparison) or (isinstance(part, Aggregate) and part.operator != "=")
