"""The lemmas of thesis ch. 5 about bi-structures, on random formulas and programs."""

from __future__ import annotations

from ground_programs import Maker
from hypothesis import given, settings
from test_characterisations import SEEDS, pairs

from definitions.equilibrium import bi_place
from larspark.equivalence.bi_entailment import bi_entails, is_bi_model
from larspark.language.traversal import walk
from larspark.language.tree import Implies, Program
from larspark.semantics.entailment import entails


@settings(max_examples=80)
@given(SEEDS)
def test_proposition_3_equal_sides_are_ordinary_entailment(seed: int) -> None:
    maker = Maker(seed, full=True)
    formula, setting = maker.formula(3), maker.setting()
    for pair in pairs(setting):
        if pair.left == pair.right:
            place = bi_place(setting, *pair)
            assert bi_entails(place, formula) is entails(place.right, formula, {})


@settings(max_examples=80)
@given(SEEDS)
def test_lemmas_3_and_4_what_holds_in_the_pair_holds_on_both_sides(seed: int) -> None:
    maker = Maker(seed, full=True)
    formula, setting = maker.formula(3), maker.setting()
    if any(isinstance(part, Implies) for part in walk(formula)):
        return
    for pair in pairs(setting):
        place = bi_place(setting, *pair)
        if bi_entails(place, formula):
            assert entails(place.left, formula, {})
            assert entails(place.right, formula, {})


@settings(max_examples=60)
@given(SEEDS)
def test_lemma_6_the_bi_models_of_a_union_are_those_of_both(seed: int) -> None:
    maker = Maker(seed)
    (first, second), setting = maker.pair(), maker.setting()
    union = Program(first.rules + second.rules)
    for pair in pairs(setting):
        place = bi_place(setting, *pair)
        assert is_bi_model(place, union) is (is_bi_model(place, first) and is_bi_model(place, second))
