"""A sample of plain files, to see how heavy partitions are: the first rows of some row groups."""

from __future__ import annotations

import numpy as np

from larspark.spark.direct.routing import buckets_of
from larspark.spark.direct.sending import blocks
from larspark.spark.direct.tables import FileTable
from larspark.spark.plan import Plan
from larspark.spark.profile import Sample

GROUPS = 16
"""Row groups that are looked into."""
ROWS = 1 << 10
"""Rows of each."""


def samples_of(plan: Plan, tables: tuple[FileTable, ...], buckets: int) -> list[Sample]:
    """For each stage some of the arrivals that it reads: the time and the bucket."""
    groups = [(table, group) for table in tables for group in table.groups]
    ends = np.cumsum([group.rows for _, group in groups])
    looked_into = GROUPS if buckets > 1 else 0
    wanted = (np.arange(looked_into) + 0.5) / GROUPS * (ends[-1] if len(ends) else 0)
    parts = [[np.empty((0, 2), np.int64)] for _ in plan.stages]
    for table, group in (groups[place] for place in np.unique(np.searchsorted(ends, wanted))[: len(groups)]):
        content = next(blocks(table, group, plan.calendar, ROWS))
        for planned, found in zip(plan.stages, parts, strict=True):
            routes = {plan.vocabulary.numbers[one]: planned.reads[one] for one in planned.program.inputs}
            if table.predicate in routes:
                place = routes[table.predicate]
                buckets_found = np.zeros_like(content.times)
                if place is not None:
                    buckets_found[:] = buckets_of(content.arguments[place], buckets)
                found.append(np.column_stack((content.times, buckets_found)))
    return [np.concatenate(found) for found in parts]
