"""The theorems of thesis ch. 5 on random programs: pairs of streams, equilibrium models and the notions agree."""

from __future__ import annotations

from ground_programs import Maker
from hypothesis import given, settings
from hypothesis import strategies as st

from definitions.equilibrium import bi_place, equilibrium_models
from definitions.logic_classes import is_bi_formula, is_bi_program, is_ht_formula, is_ht_program
from larspark.equivalence.bi_entailment import BiWorld, Logic, bi_entails, is_bi_model
from larspark.equivalence.by_enumeration import subsets
from larspark.equivalence.notions import Method, Notion, compare
from larspark.equivalence.pairs import Pair
from larspark.equivalence.setting import Setting
from larspark.equivalence.witness import answers
from larspark.language.facts import Fact
from larspark.language.tree import Program
from larspark.semantics.entailment import entails
from larspark.semantics.interpretations import Atoms
from larspark.semantics.reduct import interpreted, is_model, reduct
from larspark.semantics.rules import OrderedRule

SEEDS = st.integers(0, 2**48)
FACTS = (Fact("a"), Fact("b"))


def universe(setting: Setting) -> Atoms:
    return setting.everywhere(FACTS)


def pairs(setting: Setting) -> list[Pair]:
    return [Pair(left, right) for right in subsets(universe(setting)) for left in subsets(right)]


def is_pair(program: Program, setting: Setting, pair: Pair) -> bool:
    """M_R, t ⊨ P and M_L, t ⊨ P^{M_R,t}, by the judge."""
    right = interpreted(setting.structure, setting.at, pair.right)
    instances = reduct([OrderedRule.of(rule) for rule in program.rules], right)
    return is_model(instances, right) and is_model(instances, interpreted(setting.structure, setting.at, pair.left))


def bi_models(program: Program, setting: Setting) -> set[Pair]:
    return {pair for pair in pairs(setting) if is_pair(program, setting, pair)}


@settings(max_examples=60)
@given(SEEDS)
def test_theorem_19_pairs_are_bi_models(seed: int) -> None:
    maker = Maker(seed, full=seed % 2 == 0)
    program, setting = maker.program(), maker.setting()
    if is_bi_program(program):
        for pair in pairs(setting):
            assert is_bi_model(bi_place(setting, *pair), program) is is_pair(program, setting, pair)
    if is_ht_program(program):
        for pair in pairs(setting):
            assert is_bi_model(bi_place(setting, *pair), program, Logic.HT) is is_pair(program, setting, pair)


@settings(max_examples=100)
@given(SEEDS)
def test_propositions_4_and_5_entailment_in_both_structures(seed: int) -> None:
    maker = Maker(seed, full=True, counting=seed % 2 == 0)
    formula, setting = maker.formula(3), maker.setting()
    for pair in pairs(setting):
        place = bi_place(setting, *pair)
        in_both = entails(place.left, formula, {}) and entails(place.right, formula, {})
        assert bi_entails(place, formula, world=BiWorld.R) is entails(place.right, formula, {})  # Lemma 2
        if is_bi_formula(formula):
            assert bi_entails(place, formula) is in_both
        if is_ht_formula(formula):
            assert bi_entails(place, formula, Logic.HT) is in_both


@settings(max_examples=60)
@given(SEEDS)
def test_theorem_20_answer_streams_are_equilibrium_models(seed: int) -> None:
    maker = Maker(seed, full=seed % 2 == 0)
    program, setting = maker.program(), maker.setting()
    expected = answers(program, setting)
    if is_bi_program(program):
        assert set(equilibrium_models(program, setting, universe(setting))) == expected
    if is_ht_program(program):
        assert set(equilibrium_models(program, setting, universe(setting), Logic.HT)) == expected


@settings(max_examples=60)
@given(SEEDS)
def test_theorem_22_uniform_equivalence_by_bi_models(seed: int) -> None:
    maker = Maker(seed, full=True)
    first, second = maker.pair()
    setting = maker.setting()
    one, other = bi_models(first, setting), bi_models(second, setting)
    same_total = {pair for pair in one if pair.left == pair.right} == {p for p in other if p.left == p.right}

    def covered(these: set[Pair], those: set[Pair]) -> bool:
        proper = [pair for pair in these if pair.left < pair.right]
        return all(any(p.right == right and left <= p.left < right for p in those) for left, right in proper)

    characterised = same_total and covered(one, other) and covered(other, one)
    verdict = compare(first, second, setting, Notion.UNIFORM, over=universe(setting), method=Method.ENUMERATION)
    assert verdict.equivalent is characterised


@settings(max_examples=60)
@given(SEEDS)
def test_theorem_23_relativised_uniform_equivalence(seed: int) -> None:
    maker = Maker(seed, full=True)
    first, second = maker.pair()
    setting = maker.setting()
    relative = frozenset(timed for timed in universe(setting) if maker.random.random() < 0.5)

    def relativised(program: Program) -> set[Pair]:
        """The A-bi-models of Def. 27."""
        models = bi_models(program, setting)
        found = set()
        for right in subsets(universe(setting)):
            total = Pair(right, right)
            if total not in models or any(
                left < right and left & relative == right & relative for left, r in models if r == right
            ):
                continue
            found.add(total)
            found |= {
                Pair(left, right)
                for left in subsets(right & relative)
                if left < right & relative and any(s & relative == left for s, r in models if r == right)
            }
        return found

    one, other = relativised(first), relativised(second)
    same_total = {p for p in one if p.left == p.right} == {p for p in other if p.left == p.right}

    def covered(these: set[Pair], those: set[Pair]) -> bool:
        proper = [pair for pair in these if pair.left < pair.right]
        return all(any(p.right == right and left <= p.left < right for p in those) for left, right in proper)

    characterised = same_total and covered(one, other) and covered(other, one)
    verdict = compare(first, second, setting, Notion.UNIFORM, over=relative, method=Method.ENUMERATION)
    assert verdict.equivalent is characterised
