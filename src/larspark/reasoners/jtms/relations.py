"""Rows that rules can be instantiated with, found by the values of some of their columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from larspark.language.values import Value
from larspark.reasoners.contents import Row


class NamedRows:
    """A set of rows over named columns, with an index per combination of columns asked for."""

    def __init__(self, columns: tuple[str, ...]) -> None:
        self.columns = columns
        self.rows: set[Row] = set()
        self._indexes: dict[tuple[int, ...], defaultdict[Row, set[Row]]] = {}

    def add(self, row: Row) -> None:
        self.rows.add(row)
        for places, index in self._indexes.items():
            index[tuple(row[place] for place in places)].add(row)

    def discard(self, row: Row) -> None:
        self.rows.discard(row)
        for places, index in self._indexes.items():
            key = tuple(row[place] for place in places)
            index[key].discard(row)
            if not index[key]:
                del index[key]

    def matching(self, columns: tuple[str, ...], binding: Mapping[str, Value]) -> Iterable[Row]:
        """The rows that agree with the binding, their columns being called `columns` there."""
        places = tuple(place for place, name in enumerate(columns) if name in binding)
        if not places:
            return tuple(self.rows)
        if places not in self._indexes:
            index: defaultdict[Row, set[Row]] = defaultdict(set)
            for row in self.rows:
                index[tuple(row[place] for place in places)].add(row)
            self._indexes[places] = index
        return tuple(self._indexes[places].get(tuple(binding[columns[place]] for place in places), ()))
