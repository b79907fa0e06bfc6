"""Every rewrite on random programs, proven by the checker with the notion of equivalence that it claims.

Strong rewrites: the ground instances before and after are strongly equivalent (solver). The others: for each choice of
input from some atoms, the answer streams before and after agree in what is shown (definition).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from larspark.analysis.pipeline import analyse
from larspark.analysis.rewrites.optimise import ORDINARY, REWRITES, SHOWN, STRONG, Rewrite, optimise
from larspark.diagnostics import Rejected
from larspark.equivalence.by_enumeration import enumerate_contexts
from larspark.equivalence.notions import Limits, Notion, compare
from larspark.equivalence.question import EquivalenceQuestion
from larspark.equivalence.setting import Setting
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import rewrite as rebuild
from larspark.language.traversal import variables
from larspark.language.tree import (
    And,
    Atom,
    Comparison,
    Constant,
    Formula,
    Node,
    Program,
    Rule,
    Show,
    TimeWindow,
    Variable,
    Windowed,
)
from larspark.semantics.streams import Stream
from support.grounding import grounded
from support.random_programs import DERIVED, OVER_ANYTHING, OVER_INPUT, VALUES, Shape, random_scenario
from support.tiers import partly

TIMES = range(3)
DOMAIN = (*VALUES, 5)
SHAPE = Shape(rules=3, negation="free", aggregates=False, constraints=True, disjunction=True, background=False)
STRATIFIED = Shape(rules=5, aggregates=True, constraints=True, background=False)


def enriched(program: Program, random: Random) -> Program:
    """With rules and literals added that say nothing new, and conditions to move."""
    rules = list(program.rules)
    for rule in program.rules:
        extra = list(rule.body)
        if rule.body and random.random() < 0.6:
            extra.append(rebuild(random.choice(rule.body), _widened))
        names = sorted({variable.name for variable in variables(rule)})
        if names and random.random() < 0.5:
            right = random.choice([Constant(1), Constant(5), Variable(random.choice(names))])
            extra.append(Comparison(random.choice(["=", "=", ">"]), Variable(random.choice(names)), right))
        if random.random() < 0.5:
            extra = _together(extra)
        random.shuffle(extra)
        rules[rules.index(rule)] = rule if random.random() < 0.2 else replace(rule, body=tuple(extra))
        if random.random() < 0.4:
            rules.append(replace(rule, body=tuple(extra)))
    return replace(program, rules=tuple(rules))


def _widened(node: Node) -> Node:
    if isinstance(node, TimeWindow) and isinstance(node.past, int) and node.hop == 1:
        return replace(node, past=node.past + 1)
    return node


def _together(body: list[Formula]) -> list[Formula]:
    """Two literals under one window, if there is one."""
    windowed = [part for part in body if isinstance(part, Windowed)]
    if not windowed:
        return body
    first = windowed[0]
    return [part for part in body if part is not first] + [Windowed(first.window, And((first.body, first.body)))]


def random_program(seed: int, shape: Shape) -> tuple[Program, Random]:
    random = Random(seed)
    return enriched(random_scenario(random, shape).program, random), random


STRONG_ONES = [rewrite for rewrite in REWRITES if rewrite.notion == STRONG]
SHOWN_ONES = [rewrite for rewrite in REWRITES if rewrite.notion == SHOWN]
RELAXED = settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


def test_every_rewrite_is_proven():
    assert {*STRONG_ONES, *SHOWN_ONES} == set(REWRITES)


@pytest.mark.parametrize("rewrite", STRONG_ONES, ids=lambda rewrite: rewrite.name)
@partly(40, RELAXED)
@given(seed=st.integers(0, 2**48))
def test_strong_rewrites(rewrite: Rewrite, seed: int) -> None:
    before, random = random_program(seed, replace(SHAPE, windows=OVER_ANYTHING + OVER_INPUT))
    after = rewrite.apply(before)
    assume(after != before and analyse(before).ok)
    assert analyse(after).ok
    setting = Setting(Stream.of(0, TIMES[-1], random_input(random, 4)), random.choice(TIMES))
    first, second = (grounded(program, DOMAIN, TIMES) for program in (before, after))
    verdict = compare(first, second, setting, Notion.STRONG)
    assert verdict.equivalent, verdict.witness


def random_input(random: Random, most: int) -> list[tuple[int, Fact]]:
    signals = [Fact("a"), Fact("b"), Fact("e", (1,)), Fact("e", (5,)), Fact("e", ("x",)), Fact("f", (1, "x"))]
    return [(random.choice(TIMES), random.choice(signals)) for _ in range(random.randint(0, most))]


def hiding(program: Program, random: Random) -> Program:
    """Only some of the derived predicates are shown."""
    shown = tuple(random.sample(DERIVED, random.choice([1, 1, 2])))
    return replace(program, directives=(Show(shown),))


def chained(program: Program, random: Random) -> Program:
    """With a predicate in between: a literal of a rule moves into a rule of its own, perhaps with a comparison."""
    rules = list(program.rules)
    at = random.randrange(len(rules)) if rules else None
    if at is None or not rules[at].body:
        return program
    rule = rules[at]
    literal = random.choice(rule.body)
    names = sorted({variable.name for variable in variables(literal)})
    between = Atom("between", tuple(Variable(name) for name in names))
    body = tuple(between if part is literal else part for part in rule.body)
    if names and random.random() < 0.7:
        condition = Comparison(random.choice([">", "<=", "!="]), Variable(names[0]), Constant(random.choice([1, 2])))
        body = (*body, condition)
    rules[at] = replace(rule, body=body)
    if random.random() < 0.4:
        again = Windowed(TimeWindow(1), between) if not names else between
        rules.append(Rule(Atom("q"), (*body, again) if random.random() < 0.5 else body))
    return replace(program, rules=(*rules, Rule(between, (literal,))))


def keeps_what_is_shown(rewrite: Callable[[Program], Program], seed: int, shape: Shape) -> None:
    program, random = random_program(seed, shape)
    before = chained(hiding(program, random), random)
    after = rewrite(before)
    assume(after != before and analyse(before).ok)
    assert analyse(after).ok
    (shown,) = (frozenset[Signature](d.signatures) for d in before.directives if isinstance(d, Show))
    setting = Setting(Stream.of(0, TIMES[-1], random_input(random, 2)), TIMES[-1])
    over = frozenset(random_input(random, 4)) - frozenset(setting.data.input)
    try:
        witness = enumerate_contexts(EquivalenceQuestion(before, after, setting, Notion.DATA, over, shown, Limits()))
    except Rejected:  # too much for the judge
        reject()
    assert witness is None


@pytest.mark.parametrize("shape", [STRATIFIED, SHAPE], ids=["stratified", "choices"])
@pytest.mark.parametrize("rewrite", SHOWN_ONES, ids=lambda rewrite: rewrite.name)
@partly(40, RELAXED)
@given(seed=st.integers(0, 2**48))
def test_rewrites_for_what_is_shown(rewrite: Rewrite, shape: Shape, seed: int) -> None:
    keeps_what_is_shown(rewrite.apply, seed, shape)


@pytest.mark.parametrize("shape", [STRATIFIED, SHAPE], ids=["stratified", "choices"])
@partly(60, RELAXED)
@given(seed=st.integers(0, 2**48))
def test_all_rewrites_together(shape: Shape, seed: int) -> None:
    keeps_what_is_shown(lambda program: optimise(program, ORDINARY).program, seed, shape)
