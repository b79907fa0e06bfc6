"""Keys on which rules agree: where the key stands is the same in every rule that reads a predicate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from larspark.analysis.partitioning.keys import Distribution, RuleKey, joined, keys, places, variable_at
from larspark.analysis.structure.occurrences import head_atoms
from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.facts import Signature
from larspark.language.tree import Or, Rule

MOST_TRIED = 4096
"""Rules with more ways to choose their key positions run in one partition."""


@dataclass(frozen=True, slots=True)
class KeyAgreement:
    """A key for every rule that needs one, and the positions on which these agree."""

    keys: tuple[RuleKey, ...]
    positions: Mapping[Signature, int]

    def aligned(self, signature: Signature, rules: Iterable[Rule]) -> frozenset[int]:
        """Where the key stands in every head of a predicate: its atoms lie in the partition of that argument."""
        variable = {id(key.rule): key.variable for key in self.keys}
        heads = [(rule, atom) for rule in rules for atom in head_atoms(rule) if atom.signature == signature]
        return frozenset(
            place
            for place in range(signature.arity)
            if all(variable.get(id(rule), "") == variable_at(atom, place) for rule, atom in heads)
        )


NO_KEYS = KeyAgreement((), {})


class KeySearch:
    """Looks for keys of the rules of one program."""

    def __init__(self, data: Distribution, rules: Iterable[Rule]) -> None:
        self._data = data
        self._liking = self._popularity(rules)

    def agreed(
        self,
        rules: Sequence[Rule],
        positions: Mapping[Signature, int] = MappingProxyType({}),
        aligned: Mapping[Signature, frozenset[int]] = MappingProxyType({}),
    ) -> KeyAgreement | None:
        """Keys for these rules, in a stage that has positions and alignments already.

        What is read in the stage that derives it must lie where it is read; and a choice between atoms must not be
        made in two partitions. A rule over fixed data without a key fires in all partitions.
        """
        derived = {atom.signature for rule in rules for atom in head_atoms(rule)}
        chosen = {atom.signature for rule in rules if isinstance(rule.head, Or) for atom in head_atoms(rule)}
        searching = [rule for rule in rules if joined(self._data, rule) or any(keys(self._data, rule))]
        for found in islice(self._agreements(searching, positions), MOST_TRIED):
            met = all(
                place in (aligned[one] if one in aligned else found.aligned(one, rules))
                for one, place in found.positions.items()
                if one in aligned or one in derived
            )
            if met and all(found.aligned(one, rules) for one in chosen):
                return found
        return None

    def disagreeing(self, rules: Sequence[Rule]) -> Rule:
        """The first rule that does not agree with those before it."""
        return next(rule for count, rule in enumerate(rules, 1) if self.agreed(rules[:count]) is None)

    def _agreements(self, rules: Sequence[Rule], positions: Mapping[Signature, int]) -> Iterator[KeyAgreement]:
        if not rules:
            yield KeyAgreement((), positions)
            return
        rule, *others = rules
        for key in sorted(keys(self._data, rule), key=self._dislike):
            for extended in self._extensions(joined(self._data, rule), key.variable, positions):
                for rest in self._agreements(others, extended):
                    yield KeyAgreement((key, *rest.keys), rest.positions)

    def _extensions(
        self, meeting: Sequence[ExtendedAtom], variable: str, positions: Mapping[Signature, int]
    ) -> Iterator[Mapping[Signature, int]]:
        """The positions extended such that the variable is the key of all these atoms."""
        if not meeting:
            yield positions
            return
        found, *others = meeting
        signature = found.atom.signature
        for place in places(found, variable):
            if positions.get(signature, place) == place:
                yield from self._extensions(others, variable, {**positions, signature: place})

    def _popularity(self, rules: Iterable[Rule]) -> Counter[tuple[Signature, int]]:
        """How many rules could be split by each argument of each predicate."""
        return Counter(
            spot for rule in rules for spot in {one for key in keys(self._data, rule) for one in self._spots(key)}
        )

    def _spots(self, key: RuleKey) -> Iterator[tuple[Signature, int]]:
        for found in joined(self._data, key.rule):
            yield from ((found.atom.signature, place) for place in places(found, key.variable))

    def _dislike(self, key: RuleKey) -> tuple[int, str]:
        """Keys that more rules could use, and that the head keeps, come first: fewer exchanges."""
        kept = any(variable_at(atom, n) == key.variable for atom in head_atoms(key.rule) for n in range(len(atom.args)))
        return -sum(self._liking[spot] for spot in self._spots(key)) - kept, key.variable
