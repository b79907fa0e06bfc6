"""Hypothesis strategies for random scenarios.

The program comes from a random number, so that examples differ as much as they can; what hypothesis shrinks are
the rules, the literals that bind nothing, and the arrivals: a drawn 0 leaves one out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from larspark.language.tree import Aggregate, Comparison, Formula, Not, Rule
from larspark.semantics.streams import Stream
from support.random_programs import Scenario, Shape, random_scenario

POSITIVE = Shape(negation="none", aggregates=False)
STRATIFIED = Shape()
CONSTRAINED = replace(STRATIFIED, constraints=True)
CHOICES = Shape(negation="free", aggregates=False, constraints=True)
DISJUNCTIVE = replace(CHOICES, disjunction=True, rules=4)
PREFERRING = replace(CHOICES, rules=2, preferences=3)
ARRIVING = replace(STRATIFIED, arriving=True)
GROUND = replace(CHOICES, variables=False, arithmetic=False, background=False)


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
