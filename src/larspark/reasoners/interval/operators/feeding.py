"""The elements of an aggregate or a list, from its source and from what feeds it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from larspark.intervals.tables.storage import Rows
from larspark.reasoners.interval.network import Aggregated, Feed, Listed, Relation
from larspark.reasoners.interval.state.tables import Tables


def elements_of(node: Aggregated | Listed, rows_of: Callable[[Relation], Rows | None]) -> Rows | None:
    """The elements among some rows of each relation, None if there are none."""
    if not node.feeds:
        return rows_of(node.source)
    known = {relation: rows for relation in node.sources if (rows := rows_of(relation)) is not None}
    parts = [_fed(feed, known[feed.relation]) for feed in node.feeds if feed.relation in known]
    if node.source in known:
        parts.append(known[node.source])
    if len(parts) > 1:
        return np.concatenate(parts)
    return parts[0] if parts else None


def stored_elements(node: Aggregated | Listed, tables: Tables) -> Rows:
    """All elements."""
    found = elements_of(node, tables.content)
    assert found is not None
    return found


def _fed(feed: Feed, rows: Rows) -> Rows:
    width = len(feed.columns)
    elements = np.empty((len(rows), width + 2), np.int64)
    for column, (read, place) in enumerate(feed.columns):
        elements[:, column] = rows[:, place] if read else place
    elements[:, width:] = rows[:, -2:]
    return elements
