"""Answer streams as equilibrium models: total pairs that no smaller left stream satisfies (thesis Def. 26)."""

from __future__ import annotations

from collections.abc import Iterator

from larspark.equivalence.bi_entailment import BiPlace, Logic, is_bi_model
from larspark.equivalence.setting import Setting
from larspark.language.tree import Program
from larspark.semantics.interpretations import Atoms
from larspark.semantics.reduct import interpreted, proper_subsets


def bi_place(setting: Setting, left: Atoms, right: Atoms) -> BiPlace:
    """The data extended by these atoms, as a bi-structure at the evaluation time."""
    return BiPlace(*(interpreted(setting.structure, setting.at, atoms) for atoms in (left, right)))


def is_equilibrium_model(program: Program, setting: Setting, atoms: Atoms, logic: Logic = Logic.BI) -> bool:
    """Whether (I, I) is a bi-model and no (I', I) with D ⊆ I' ⊂ I is one.

    In bi-LARS these are the answer streams of programs in LARS_bi (Theorem 20), in Here-and-There those of LARS_HT
    (Theorem 24).
    """
    return is_bi_model(bi_place(setting, atoms, atoms), program, logic) and not any(
        is_bi_model(bi_place(setting, smaller, atoms), program, logic) for smaller in proper_subsets(atoms)
    )


def equilibrium_models(program: Program, setting: Setting, universe: Atoms, logic: Logic = Logic.BI) -> Iterator[Atoms]:
    """Those among the atoms of the universe, by trying each of its subsets."""
    for candidate in (*proper_subsets(universe), universe):
        if is_equilibrium_model(program, setting, candidate, logic):
            yield candidate
