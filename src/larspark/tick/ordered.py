"""Facts in order, spelled and joined: a change costs what changed, whatever the number of facts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable

from larspark.language.facts import Fact, fact_order

_BLOCK = 256
"""Facts of a block when it is new; twice as many make two of it."""

Key = tuple[object, ...]


class _Block:
    """Neighbours in the order, with their spellings joined when they were last asked for."""

    def __init__(self, entries: list[tuple[Key, str]]) -> None:
        self.entries = entries
        self._joined: str | None = None

    def touch(self) -> None:
        self._joined = None

    def joined(self) -> str:
        if self._joined is None:
            self._joined = ", ".join([spelling for _, spelling in self.entries])
        return self._joined


class OrderedTexts:
    """A set of facts as one line of text, in the order of `fact_order`."""

    def __init__(self, spell: Callable[[Fact], str] = str) -> None:
        self._spell = spell
        self._blocks: list[_Block] = []
        self._firsts: list[Key] = []
        """The key at which each block begins, or began: no key of an earlier block is larger."""

    def add(self, facts: Iterable[Fact]) -> None:
        """Facts that are not in the set."""
        for fact in facts:
            self._add(fact_order(fact), self._spell(fact))

    def remove(self, facts: Iterable[Fact]) -> None:
        """Facts of the set."""
        for fact in facts:
            self._remove(fact_order(fact))

    def joined(self) -> str:
        return ", ".join([block.joined() for block in self._blocks])

    def _add(self, key: Key, spelling: str) -> None:
        if not self._blocks:
            self._blocks, self._firsts = [_Block([])], [key]
        place = max(bisect_right(self._firsts, key) - 1, 0)
        block = self._blocks[place]
        insort(block.entries, (key, spelling))
        block.touch()
        self._firsts[place] = min(self._firsts[place], key)
        if len(block.entries) >= 2 * _BLOCK:
            self._blocks[place : place + 1] = _Block(block.entries[:_BLOCK]), _Block(block.entries[_BLOCK:])
            self._firsts.insert(place + 1, block.entries[_BLOCK][0])

    def _remove(self, key: Key) -> None:
        place = bisect_right(self._firsts, key) - 1
        block = self._blocks[place]
        del block.entries[bisect_left(block.entries, (key,))]
        block.touch()
        if not block.entries:
            del self._blocks[place], self._firsts[place]
