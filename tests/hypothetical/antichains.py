"""Families of finite sets as bit masks: unions of one from each, and those that contain no other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)
Mask = int


@dataclass
class Members(Generic[T]):
    """The elements that sets are made of, each with a bit of its own."""

    _all: list[T] = field(default_factory=list)
    _mask: dict[T, Mask] = field(default_factory=dict)

    def mask(self, element: T) -> Mask:
        """The set that holds this element alone."""
        if element not in self._mask:
            self._mask[element] = 1 << len(self._all)
            self._all.append(element)
        return self._mask[element]

    def listed(self, mask: Mask) -> frozenset[T]:
        return frozenset(self._all[bit.bit_length() - 1] for bit in _bits(mask))


def minimal_masks(masks: Iterable[Mask]) -> tuple[Mask, ...]:
    """Those without a proper subset among them.

    A subset has its rarest element in common with the set, so only sets filed under one's elements are compared.
    """
    candidates = sorted(set(masks), key=lambda mask: (mask.bit_count(), mask))
    if not candidates or not candidates[0]:
        return tuple(candidates[:1])
    often = Counter(bit for mask in candidates for bit in _bits(mask))
    filed: defaultdict[Mask, list[Mask]] = defaultdict(list)
    kept: list[Mask] = []
    for candidate in candidates:
        elements = _bits(candidate)
        if not any(other & candidate == other for bit in elements for other in filed.get(bit, ())):
            filed[min(elements, key=often.__getitem__)].append(candidate)
            kept.append(candidate)
    return tuple(kept)


def _bits(mask: Mask) -> list[Mask]:
    """The sets of one element each that make up a set."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest)
        mask ^= lowest
    return found


def unions(families: Iterable[Sequence[Mask]]) -> Sequence[Mask]:
    """The minimal unions of one set from each family; what contains another is dropped before the next comes."""
    found: Sequence[Mask] = (0,)
    for family in families:
        joined = [one | other for one in found for other in family]
        found = joined if len(found) == 1 and not found[0] else minimal_masks(joined)
    return found


def minimal_sets(sets: Iterable[frozenset[T]]) -> frozenset[frozenset[T]]:
    """Those without a proper subset among them."""
    members: Members[T] = Members()
    masks = {sum(map(members.mask, found)): found for found in sets}
    return frozenset(masks[mask] for mask in minimal_masks(masks))
