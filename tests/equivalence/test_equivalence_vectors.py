"""Every case of thesis ch. 5."""

from __future__ import annotations

import pytest

from definitions.equilibrium import equilibrium_models
from definitions.logic_classes import preserves_substreams
from larspark.equivalence.bi_entailment import BiPlace, BiWorld, Logic, bi_entails
from larspark.equivalence.notions import Method, Notion, compare
from larspark.equivalence.setting import Setting, extended
from larspark.equivalence.witness import answers
from larspark.language.facts import Fact
from larspark.language.traversal import rewrite, walk
from larspark.language.tree import Implies, Node, Program, RegisteredWindow, Rule, TupleWindow
from larspark.semantics.streams import Stream
from larspark.semantics.structures import Place, Structure
from support.notation import fact
from support.vectors import Case, cases, facts_by_time, formula, program, stream, window


def bi_place(case: Case) -> BiPlace:
    places = []
    for side in ("left", "right"):
        m = Structure.of(stream(case[side]), case.background)
        places.append(Place(m, m.stream, case["at"]))
    return BiPlace(*places)


@pytest.mark.parametrize("case", cases("bi_entail"), ids=str)
def test_bi_entailment(case: Case) -> None:
    """`L` and `R` are entailment in the two structures alone, `bi` entailment in the pair."""
    place, wanted = bi_place(case), formula(case["formula"])
    alone = {"L": BiPlace(place.left, place.left), "R": BiPlace(place.right, place.right)}
    found = {side: bi_entails(total, wanted) for side, total in alone.items()}  # Proposition 3
    assert {**found, "bi": bi_entails(place, wanted)} == case["expect"]
    assert bi_entails(place, wanted, world=BiWorld.R) is found["R"]  # Lemma 2


@pytest.mark.parametrize("case", cases("ht_entail"), ids=str)
def test_here_and_there(case: Case) -> None:
    place, wanted = bi_place(case), formula(case["formula"])
    assert {world.value: bi_entails(place, wanted, Logic.HT, world) for world in BiWorld} == case["expect"]


@pytest.mark.parametrize("case", cases("ht_equilibrium"), ids=str)
def test_equilibrium_logic_without_time(case: Case) -> None:
    setting = Setting(Stream.of(0, 0), 0)
    rule = formula(case["rule"])
    assert isinstance(rule, Implies)
    theory = Program((Rule(rule.right, (rule.left,)),))
    found = equilibrium_models(theory, setting, setting.everywhere(map(fact, case["atoms"])), Logic.HT)
    assert sorted(sorted(str(one) for _, one in model) for model in found) == case["expect"]


@pytest.mark.parametrize("case", cases("monotone_window"), ids=str)
def test_monotone_windows(case: Case) -> None:
    small, big = stream(case["small"]), stream(case["big"])
    assert preserves_substreams(window(case["window"]), small, big, case["at"]) is case["expect"]


def counting_everything(node: Node) -> Node:
    """A tuple window of the definition counts what is derived too; ours count the input alone."""
    return RegisteredWindow("tuple_counting_all", (node.past,)) if isinstance(node, TupleWindow) else node


@pytest.mark.parametrize("case", cases("strong_equivalence"), ids=str)
def test_strong_equivalence(case: Case) -> None:
    """By the definition's tuple windows, and with the solver where the windows allow it."""
    first, second = (rewrite(program(case[name]), counting_everything) for name in "pq")
    setting = Setting(case.stream, case["at"], frozenset(case.background))
    over = setting.everywhere(map(fact, case["atoms"]))
    plugged = any(isinstance(part, RegisteredWindow) for one in (first, second) for part in walk(one))
    for method in [Method.ENUMERATION] if plugged else Method:
        verdict = compare(first, second, setting, Notion.STRONG, over=over, method=method)
        assert verdict.equivalent is case["expect"]


def expected(listed: list[dict[int, list[str]]]) -> set[frozenset[tuple[int, Fact]]]:
    return {
        frozenset((time, one) for time, facts in facts_by_time(answer).items() for one in facts) for answer in listed
    }


@pytest.mark.parametrize("case", cases("equiv_context"), ids=str)
def test_programs_in_a_context(case: Case) -> None:
    setting = Setting(case.stream, case["at"], frozenset(case.background))
    first, second = (extended(program(case[name]), program(case["context"]).rules) for name in "pq")
    assert answers(first, setting) == expected(case["expect"]["p"])
    assert answers(second, setting) == expected(case["expect"]["q"])
    assert compare(first, second, setting, Notion.ORDINARY).equivalent is case["expect"]["equal"]
