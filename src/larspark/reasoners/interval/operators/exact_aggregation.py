"""Aggregates of any values, computed exactly: what `larspark.intervals.aggregates.sweep` does for small integers.

Symbols, large numbers and decimals with many digits, and sums that become large, go this way.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence, Set
from decimal import Decimal
from functools import partial

from larspark.language.values import NotANumber, Value, calculate, normal, order_key, total
from larspark.reasoners.interval.network import Aggregated, Asked
from larspark.reasoners.interval.operators.exact_groups import Codes, ExactGroups, GroupElements
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.reasoners.interval.state.tables import Tables

Output = tuple[Asked, ...]


class Elements:
    """The distinct tuples of one part of a group at one time, and functions of them."""

    def __init__(self, functions: Set[str], dictionary: Dictionary) -> None:
        self._sorts, self._adds = not functions.isdisjoint({"min", "max"}), not functions.isdisjoint({"sum", "avg"})
        self._dictionary = dictionary
        self._counts: dict[Codes, int] = {}
        self._size = 0
        self._total: Value | None = 0
        self._sorted: list[tuple[tuple[int, Value], int]] = []

    def change(self, element: Codes, weight: int) -> None:
        before = self._counts.get(element, 0)
        after = before + weight
        if after:
            self._counts[element] = after
        else:
            del self._counts[element]
        # Several changes of one time point may pass through other counts; only presence matters.
        if (before > 0) != (after > 0):
            self._present(element, after > 0)

    def _present(self, element: Codes, entered: bool) -> None:
        self._size += 1 if entered else -1
        if not (self._sorts or self._adds):
            return
        value = self._dictionary.decode(element[0])
        if self._sorts:
            item = order_key(value), element[0]
            if entered:
                insort(self._sorted, item)
            else:
                del self._sorted[bisect_left(self._sorted, item)]
        if self._adds and self._total is not None:
            try:
                self._total = calculate("+" if entered else "-", self._total, value)
            except NotANumber:
                self._total = None

    def __len__(self) -> int:
        return self._size

    def value(self, function: str) -> int | None:
        """The code of a function; None when it has no value: of nothing, or where a symbol is to be added up."""
        match function:
            case "count":
                return self._dictionary.encode(self._size)
            case "min" | "max":
                return self._sorted[0 if function == "min" else -1][1] if self._size else None
        try:
            value = self._sum()
            if function == "avg":
                if not self._size:
                    return None
                value = normal(calculate("/", Decimal(value), Decimal(self._size)))
            return self._dictionary.encode(value)
        except NotANumber:
            return None

    def _sum(self) -> Value:
        if self._total is None:  # a symbol, or too many digits, were among the elements, or still are
            present = (element for element, count in self._counts.items() if count > 0)
            self._total = total(self._dictionary.decode(element[0]) for element in present)
        return self._total


class ExactGroup(GroupElements):
    """The values of one group: its elements are of several parts."""

    def __init__(self, outputs: Sequence[Output], parts: int, dictionary: Dictionary, start: int) -> None:
        super().__init__(len(outputs), start)
        self._outputs = outputs
        functions = [
            {one.function for output in outputs for one in output if one.part == part} for part in range(parts)
        ]
        self._parts = [Elements(asked, dictionary) for asked in functions]

    def change(self, element: Codes, weight: int) -> None:
        self._parts[element[1] >> 1 if len(self._parts) > 1 else 0].change(element, weight)

    @property
    def empty(self) -> bool:
        return not any(map(len, self._parts))

    def values(self) -> tuple[int, Sequence[Codes | None]]:
        return 0, [None] * len(self._outputs) if self.empty else [self._of(output) for output in self._outputs]

    def _of(self, output: Output) -> Codes | None:
        found = [self._parts[part].value(function) for part, function in output]
        return None if None in found else tuple(value for value in found if value is not None)


def exact_aggregation(node: Aggregated, outputs: Iterable[Output], tables: Tables, start: int) -> ExactGroups:
    """Outputs of an aggregate as an exact operator."""
    asked = tuple(outputs)
    make = partial(ExactGroup, asked, node.parts, tables.dictionary, start)
    return ExactGroups(node, lambda place: (node.values[asked[place]], ()), make, tables, start)
