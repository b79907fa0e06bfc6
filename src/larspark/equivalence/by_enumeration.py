"""The notions word by word (thesis Def. 22 and 27): every context is tried on the judge.

Slow, but it takes every window function and also compares shown predicates only. `search` and `pairs` are tested
against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, permutations, product

from larspark.diagnostics import Diagnostic, Rejected
from larspark.equivalence.ordering import ordered
from larspark.equivalence.pairs import Pair, separating_context
from larspark.equivalence.question import EquivalenceQuestion, Limits, Notion
from larspark.equivalence.setting import Setting, as_fact_rule
from larspark.equivalence.witness import Witness, compared, confirm
from larspark.language.traversal import walk
from larspark.language.tree import WindowNode
from larspark.semantics.interpretations import Atoms, TimedFact
from larspark.semantics.reduct import interpreted, is_model, proper_subsets, reduct
from larspark.semantics.rules import OrderedRule
from larspark.semantics.streams import Arrival


def enumerate_contexts(question: EquivalenceQuestion) -> Witness | None:
    """Evidence against the equivalence."""
    match question.notion:
        case Notion.STRONG:
            return _programs(question)
        case Notion.DATA:
            return _data(question)
        case Notion.ORDINARY | Notion.UNIFORM:
            return _facts(question)


def _facts(question: EquivalenceQuestion) -> Witness | None:
    """Some F ⊆ A with different answer streams; for A = ∅ this is ordinary equivalence."""
    _within(2 ** len(question.over), question.limits)
    for chosen in subsets(question.over):
        context = tuple(map(as_fact_rule, ordered(chosen)))
        witness = compared(question.first, question.second, question.setting, context=context, shown=question.shown)
        if witness:
            return witness
    return None


def _data(question: EquivalenceQuestion) -> Witness | None:
    """A data stream S with different answer streams for D ∪ S; with tuple windows, in every order of arrival."""
    parts = (part for program in (question.first, question.second) for part in walk(program))
    windows = (part for part in parts if isinstance(part, WindowNode))
    by_order = any(window.counts_arrivals or window.sees_everything for window in windows)
    _within(2 ** len(question.over), question.limits)
    tried = 0
    for chosen in subsets(question.over):
        alternatives = _orders(question.setting, ordered(chosen)) if by_order else [question.setting.with_input(chosen)]
        for setting in alternatives:
            tried += 1
            _within(tried, question.limits)
            added = [arrival for arrival in setting.data.input if arrival in chosen]
            witness = compared(question.first, question.second, setting, added=added, shown=question.shown)
            if witness:
                return witness
    return None


def _orders(setting: Setting, added: Sequence[TimedFact]) -> Iterator[Setting]:
    """D ∪ S in every order inside the time points; the atoms of D keep theirs."""
    present = list(setting.data.input)
    arrivals = sorted([*present, *(Arrival(*timed) for timed in added)], key=lambda arrival: arrival.time)
    points = [list(group) for _, group in groupby(arrivals, key=lambda arrival: arrival.time)]
    options = [[order for order in permutations(point) if _keeps(order, present)] for point in points]
    for choice in product(*options):
        yield setting.in_order([arrival for point in choice for arrival in point])


def _keeps(order: Sequence[Arrival], present: Sequence[Arrival]) -> bool:
    times = {arrival.time for arrival in order}
    known = [arrival for arrival in order if arrival in present]
    return known == [arrival for arrival in present if arrival.time in times]


def _programs(question: EquivalenceQuestion) -> Witness | None:
    """A bi-model of one program that is none of the other, turned into a context (Theorem 21)."""
    first, second, setting = question.first, question.second, question.setting
    universe = question.over | question.derivable
    _within(3 ** len(universe), question.limits)
    sides = [[OrderedRule.of(rule) for rule in program.rules] for program in (first, second)]
    m = setting.structure
    for right in subsets(universe):
        place = interpreted(m, setting.at, right)
        reducts = [reduct(rules, place) for rules in sides]
        models = [is_model(instances, place) for instances in reducts]
        if not any(models):
            continue
        for left in subsets(right):
            here = interpreted(m, setting.at, left)
            pairs = [model and is_model(instances, here) for model, instances in zip(models, reducts, strict=True)]
            if pairs[0] != pairs[1]:
                context = separating_context(Pair(left, right), models[1] if pairs[0] else models[0])
                return confirm(first, second, setting, (right, pairs[0] is not all(models)), context=context)
    return None


def subsets(atoms: Atoms) -> Iterator[Atoms]:
    """All of them, the smallest first."""
    yield from proper_subsets(atoms)
    yield atoms


def _within(candidates: int, limits: Limits) -> None:
    if candidates > limits.contexts:
        raise Rejected([_too_large(limits.contexts)])


def _too_large(limit: int) -> Diagnostic:
    return Diagnostic(
        "E534",
        f"The comparison would have to try more than {limit} contexts one by one.",
        "Shorten the timeline, name fewer atoms, or leave out tuple windows, which depend on the order of arrival.",
    )
