"""The first tuples of groups in order, of any values: what `intervals.aggregates.ranks` does for small integers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from larspark.language.values import Value, order_key
from larspark.reasoners.interval.operators.exact_groups import Codes, Course, GroupElements
from larspark.reasoners.interval.state.dictionary import Dictionary

Key = tuple[tuple[int, Value], ...]


class OrderedGroup(GroupElements):
    """The tuples of one group, smallest first; a course for each of the first of the list, as long as it has been."""

    def __init__(self, limit: int, descending: bool, dictionary: Dictionary, start: int) -> None:
        super().__init__(0, start)
        self._limit, self._descending = limit, descending
        self._dictionary, self._start = dictionary, start
        self._counts: dict[Codes, int] = {}
        self._keys: list[Key] = []
        self._tuples: list[Codes] = []
        self._changed = limit
        """The first place of the list that may be another's."""

    @property
    def empty(self) -> bool:
        return not self._tuples

    def change(self, element: Codes, weight: int) -> None:
        before = self._counts.get(element, 0)
        after = before + weight
        if after:
            self._counts[element] = after
        else:
            del self._counts[element]
        if (before > 0) == (after > 0):
            return
        decode = self._dictionary.decode
        key = tuple([order_key(decode(code)) if code & 1 else (0, code >> 1) for code in element])
        place = bisect_left(self._keys, key)
        if after > 0:
            self._keys.insert(place, key)
            self._tuples.insert(place, element)
        else:
            del self._keys[place], self._tuples[place]
        # From which place of the list on it is another's; what has left was at the end of those that stay.
        rank = len(self._keys) - place - (after > 0) if self._descending else place
        self._changed = min(self._changed, rank)

    def values(self) -> tuple[int, Sequence[Codes | None]]:
        longer = min(len(self._tuples), self._limit) - len(self.courses)
        self.courses += [Course(self._start) for _ in range(longer)]
        first, limit = min(self._changed, len(self.courses)), len(self.courses)
        self._changed = self._limit
        if first == limit:
            return first, ()
        found = _ranked(self._tuples, first, limit, descending=self._descending)
        return first, [*found, *[None] * (limit - first - len(found))]


def _ranked(tuples: Sequence[Codes], first: int, limit: int, *, descending: bool) -> Sequence[Codes]:
    """The tuples of these places of the list."""
    return tuples[: -limit - 1 : -1][first:] if descending else tuples[first:limit]
