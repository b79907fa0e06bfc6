"""Choices without a key, cut: what no choice decides becomes rules of its own, below.

    :- get(I, M), busy(M) [3], urgent(I).

The choice of `get` is to stay in one place, by I; `busy` goes by M. Where every rule for `get` needs `source`, an atom
of it is *possible* only if `source` holds: `possible(I, M) :- source(I, M).` Adding that to the body changes nothing,
since no answer stream has an atom without a rule that gives it (thesis Def. 18), and joins `busy` and `urgent` below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from larspark.analysis.analysis import Component
from larspark.analysis.partitioning.agreement import KeySearch
from larspark.analysis.partitioning.cuts import cut, cut_at, visible
from larspark.analysis.partitioning.keys import Distribution, joined, obstacle
from larspark.analysis.passes.check_safety import bound_variables, visible_variables
from larspark.analysis.structure.occurrences import head_atoms, occurrences
from larspark.language.facts import Signature
from larspark.language.traversal import walk
from larspark.language.tree import Aggregate, At, Atom, Formula, Not, Rule

POSSIBLE = "possible:"
"""Starts the names of invented predicates; none can be written without quotes."""


def cut_choice(
    data: Distribution, arriving: frozenset[Signature], choice: Component, names: Mapping[int, str]
) -> dict[int, list[Rule]]:
    """The rules that stand for each rule of a choice; each for itself where cutting does not give the choice a key."""
    whole = {id(rule): [rule] for rule in choice.rules}
    if _agree(data, choice.rules):
        return whole
    possible = _possible_atoms(choice, arriving)
    torn = [rule for rule in choice.rules if obstacle(data, rule)]
    for chosen in (torn, choice.rules):  # as few as possible
        cutter = _PlanCutter(data, choice, possible)
        parts = whole | {id(rule): cutter.cut_below(rule, names[id(rule)]) for rule in chosen}
        if _agree(data, [rules[-1] for rules in parts.values()]):
            return parts
    return whole


def _agree(data: Distribution, rules: Sequence[Rule]) -> bool:
    return not any(obstacle(data, rule) for rule in rules) and KeySearch(data, rules).agreed(rules) is not None


class _PlanCutter:
    """Cuts off what is certain."""

    def __init__(self, data: Distribution, choice: Component, possible: Mapping[Signature, list[Rule]]) -> None:
        self._data = data
        self._decided = choice.predicates
        self._possible = possible
        self._told: set[Signature] = set()

    def cut_below(self, rule: Rule, name: str) -> list[Rule]:
        """First what says nothing about what is decided, then its conclusions with the rest; or the rule itself."""
        decided = [one for one in rule.body if isinstance(one, Atom) and one.signature in self._possible]
        added = tuple(Atom(POSSIBLE + one.predicate, one.args) for one in decided)
        for more in ((), added):
            parts = self._parts(replace(rule, body=(*rule.body, *more)), name)
            if parts:
                return [*(self._definitions(decided) if more else ()), *parts]
        return [rule]

    def _parts(self, rule: Rule, name: str) -> list[Rule]:
        certain = _certain(rule, self._decided)
        found = cut_at(rule, certain, name)
        parts = list(cut(self._data, found.part, f"{name}'"))
        worth = len(joined(self._data, found.part)) > 1 and not any(obstacle(self._data, one) for one in parts)
        return [*parts, found.rest] if worth else []

    def _definitions(self, atoms: Sequence[Atom]) -> Iterator[Rule]:
        """The rules about what is possible, told once."""
        for signature in dict.fromkeys(atom.signature for atom in atoms):
            if signature not in self._told:
                self._told.add(signature)
                yield from self._possible[signature]


def _certain(rule: Rule, decided: frozenset[Signature]) -> list[Formula]:
    """The literals that say nothing about what is decided, and whose variables these bind."""
    apart = [one for one in rule.body if not any(found.atom.signature in decided for found in occurrences(one))]
    bound = bound_variables([literal for literal in apart if not isinstance(literal, Not | Aggregate)])
    return [literal for literal in apart if visible([literal]) <= bound]


def _possible_atoms(choice: Component, arriving: frozenset[Signature]) -> dict[Signature, list[Rule]]:
    """For predicates all of whose rules have a certain part that gives the head its values: what that part allows."""
    found: dict[Signature, list[Rule]] = {}
    for signature in choice.predicates - arriving:
        heads = [(rule, atom) for rule in choice.rules for atom in head_atoms(rule) if atom.signature == signature]
        rules = [
            Rule(replace(atom, predicate=POSSIBLE + atom.predicate), tuple(_certain(rule, choice.predicates)))
            for rule, atom in heads
            if not any(isinstance(node, At) for node in walk(rule.head))
        ]
        safe = all(_head_variables(rule) <= bound_variables(rule.body) for rule in rules)
        if safe and len(rules) == len(heads):
            found[signature] = rules
    return found


def _head_variables(rule: Rule) -> set[str]:
    return {variable.name for variable in visible_variables(Rule(rule.head))}
