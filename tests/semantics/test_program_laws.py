"""Semantic properties of answer streams (thesis sec. 3.2.3), checked word by word on random programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import clingo
import pytest

from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.printing.printer import show
from larspark.language.tree import Atom, Formula, Not, Or, Program, Rule, Truth
from larspark.semantics.answer_streams import answer_streams, potential_atoms
from larspark.semantics.components import RuleLayer, intensional
from larspark.semantics.entailment import entails
from larspark.semantics.interpretations import Atoms
from larspark.semantics.reduct import enumerate_answer_streams, interpreted, is_model, proper_subsets, reduct
from larspark.semantics.rules import OrderedRule
from larspark.semantics.streams import Stream
from larspark.semantics.structures import Place, Structure
from support.random_programs import Scenario, Shape, random_scenario
from support.strategies import CHOICES, CONSTRAINED, DISJUNCTIVE, GROUND, POSITIVE, STRATIFIED

pytestmark = pytest.mark.random

SMALL = 7
"""Properties that speak of all subsets are checked for answer streams up to this size."""


def evaluations(shape: Shape, programs: int) -> Iterator[tuple[Scenario, int]]:
    """Each program at three of its time points."""
    for seed in range(programs):
        random = Random(f"laws {seed}")
        scenario = random_scenario(random, shape)
        for time in random.sample(list(scenario.times), 3):
            yield scenario, time


def judged(scenario: Scenario, time: int) -> list[Atoms]:
    found = answer_streams(scenario.program, scenario.stream, time, background=scenario.background)
    return [interpretation.atoms for interpretation in found]


def setting(scenario: Scenario, time: int) -> tuple[list[OrderedRule], Structure]:
    """The rules and the structure of the data alone."""
    data = scenario.stream.until(time)
    rules = [OrderedRule.of(rule) for rule in scenario.program.rules]
    return rules, Structure.of(data, scenario.background, now=time, mentioning=[scenario.program])


def satisfies_program(rules: list[OrderedRule], place: Place) -> bool:
    """M, t ⊨ P: the instances whose body holds have a true head."""
    return is_model(reduct(rules, place), place)


@pytest.mark.parametrize("shape", [CHOICES, DISJUNCTIVE, CONSTRAINED], ids=["choices", "disjunctive", "constrained"])
def test_answer_streams_are_minimal_models_of_the_program(shape: Shape) -> None:
    """thesis-thm4."""
    checked = 0
    for scenario, time in evaluations(shape, 120):
        rules, m = setting(scenario, time)
        for atoms in judged(scenario, time):
            assert satisfies_program(rules, interpreted(m, time, atoms)), (scenario, time)
            if 0 < len(atoms) <= SMALL:
                checked += 1
                for smaller in proper_subsets(atoms):
                    assert not satisfies_program(rules, interpreted(m, time, smaller)), (scenario, time, smaller)
    assert checked > 50


@pytest.mark.parametrize("shape", [CHOICES, DISJUNCTIVE], ids=["choices", "disjunctive"])
def test_answer_streams_do_not_contain_each_other(shape: Shape) -> None:
    """thesis-cor1."""
    several = 0
    for scenario, time in evaluations(shape, 200):
        found = judged(scenario, time)
        several += len(found) > 1
        assert not any(one < other for one in found for other in found), (scenario, time)
    assert several > 20


@pytest.mark.parametrize("shape", [CHOICES, DISJUNCTIVE, STRATIFIED], ids=["choices", "disjunctive", "stratified"])
def test_every_derived_atom_is_supported(shape: Shape) -> None:
    """thesis-thm5: some rule fires and is violated once the atom is deleted."""
    for scenario, time in evaluations(shape, 120):
        rules, m = setting(scenario, time)
        for atoms in judged(scenario, time):
            firing = reduct(rules, interpreted(m, time, atoms))
            for timed in atoms:
                without = interpreted(m, time, atoms - {timed})
                assert any(not is_model([instance], without) for instance in firing), (scenario, time, timed)


def test_positive_programs_have_an_answer_stream() -> None:
    """thesis-thm6-i; with definite heads it is the only one. (thesis-thm6-tuple: Example 30 in the vectors.)"""
    for scenario, time in evaluations(POSITIVE, 200):
        assert len(judged(scenario, time)) == 1, (scenario, time)


def test_answer_streams_of_positive_programs_are_the_minimal_models() -> None:
    """thesis-thm6-ii, read as a statement about the models of the program itself."""
    compared = 0
    for scenario, time in evaluations(replace(POSITIVE, disjunction=True, rules=3), 150):
        rules, m = setting(scenario, time)
        potential = potential_atoms(whole(scenario.program), m, time)
        if 0 < len(potential) <= SMALL:
            compared += 1
            models = [
                atoms
                for atoms in (*proper_subsets(potential), potential)
                if satisfies_program(rules, interpreted(m, time, atoms))
            ]
            minimal = {one for one in models if not any(other < one for other in models)}
            assert set(judged(scenario, time)) == minimal, (scenario, time)
    assert compared > 50


def test_stratified_programs_have_exactly_one_answer_stream() -> None:
    """thesis-thm2."""
    for scenario, time in evaluations(STRATIFIED, 200):
        assert len(judged(scenario, time)) == 1, (scenario, time)


# -- the shortcuts against the definition ----------------------------------------------------------


def whole(program: Program) -> RuleLayer:
    """The program as one component without a shortcut."""
    rules = tuple(OrderedRule.of(rule) for rule in program.rules)
    return RuleLayer(intensional(program), rules, (), None)


@pytest.mark.parametrize(
    "shape",
    [replace(STRATIFIED, aggregates=False), CHOICES, DISJUNCTIVE, GROUND],
    ids=["stratified", "choices", "disjunctive", "ground"],
)
def test_components_and_fixpoints_agree_with_the_definition(shape: Shape) -> None:
    """Def. 18 by trying every set of atoms, for the whole program at once (also thesis-s6.5.1-strata)."""
    compared = 0
    for scenario, time in evaluations(shape, 250):
        rules, m = setting(scenario, time)
        potential = potential_atoms(whole(scenario.program), m, time)
        if 0 < len(potential) <= SMALL:
            compared += 1
            by_definition = set(enumerate_answer_streams(rules, m, time, potential, 1 << SMALL))
            assert set(judged(scenario, time)) == by_definition, (scenario, time)
    assert compared > 80


def test_the_definition_needs_no_more_than_the_potential_atoms() -> None:
    """Adding an atom that no rule can derive never gives another answer stream."""
    odd = (5, Fact("p"))
    for scenario, time in evaluations(replace(GROUND, rules=3), 100):
        rules, m = setting(scenario, time)
        potential = potential_atoms(whole(scenario.program), m, time)
        if len(potential) <= 5 and odd not in potential:
            larger = set(enumerate_answer_streams(rules, m, time, potential | {odd}, 1 << SMALL))
            assert larger == set(enumerate_answer_streams(rules, m, time, potential, 1 << SMALL)), (scenario, time)


# -- answer sets -----------------------------------------------------------------------------------


def random_answer_set_program(random: Random) -> Program:
    atoms = [Atom(name) for name in "abcd"]

    def rule() -> Rule:
        head: Formula = random.choice(atoms)
        kind = random.random()
        if kind < 0.1:
            head = Truth(False)
        elif kind < 0.3:
            head = Or(tuple(random.sample(atoms, 2)))
        fewest = 1 if isinstance(head, Truth) else 0
        positive = random.sample([*atoms, Atom("x")], random.choice([fewest, 1, 1, 2]))
        negative = [Not(atom) for atom in random.sample(atoms, random.choice([0, 1, 1, 2]))]
        return Rule(head, (*positive, *negative))

    return Program(tuple(rule() for _ in range(random.randint(1, 6))))


def test_on_one_time_point_answer_streams_are_answer_sets() -> None:
    """thesis-prop1."""
    data = Stream.of(0, 0, [(0, Fact("x"))])
    for seed in range(400):
        program = random_answer_set_program(Random(seed))
        control = clingo.Control(["0", "--warn=none"])
        control.add("base", [], show(program) + "\nx.")
        control.ground([("base", [])])
        with control.solve(yield_=True) as handle:
            expected = {frozenset(str(atom) for atom in model.symbols(atoms=True)) - {"x"} for model in handle}
        found = {frozenset(str(fact) for _, fact in one.atoms) for one in answer_streams(program, data, 0)}
        assert found == expected, show(program)


def test_input_may_be_replaced_by_facts() -> None:
    """sec. 3.2.3: for programs without input in heads, `@t a.` says the same as a arriving at t."""
    no_arrivals = tuple(kind for kind in STRATIFIED.windows if "tuple" not in kind and kind not in ("per", "session"))
    for scenario, time in evaluations(replace(CHOICES, windows=no_arrivals), 60):
        text = show(scenario.program)
        arrived = [arrival for arrival in scenario.stream.input if arrival.time <= time]
        facts = "\n".join(f"@{at} {fact}." for at, fact in arrived)
        program = parse_program(f"{text}\n{facts}")
        empty = Stream.of(scenario.stream.start, None)
        found = {one.atoms for one in answer_streams(program, empty, time, background=scenario.background)}
        given = frozenset((at, fact) for at, fact in arrived)
        assert {atoms - given for atoms in found} == set(judged(scenario, time)), (scenario, time)


def test_entailment_of_a_head_is_what_definite_rules_demand() -> None:
    for scenario, time in evaluations(POSITIVE, 60):
        rules, m = setting(scenario, time)
        (atoms,) = judged(scenario, time)
        place = interpreted(m, time, atoms)
        for rule, binding in reduct(rules, place):
            assert entails(place, rule.rule.head, binding)
