"""Changes of several steps as those of one."""

from __future__ import annotations

import numpy as np
import pytest

from larspark.intervals.tables.storage import Rows
from larspark.reasoners.interval.engine.changes import RelationChanges
from larspark.reasoners.interval.engine.netting import Net
from larspark.reasoners.interval.network import Kind, Relation

Stretch = tuple[int, int, int]
SILENT = Relation(0, "silent", 1, Kind.NOW)


def changed(gained: list[Stretch], lost: list[Stretch]) -> RelationChanges:
    changes = RelationChanges()
    changes.gain(SILENT, as_rows(gained))
    changes.lose(SILENT, as_rows(lost))
    return changes


def as_rows(stretches: list[Stretch]) -> Rows:
    return np.array(stretches, np.int64).reshape(len(stretches), 3)


@pytest.mark.parametrize(
    ("steps", "gained", "lost"),
    [
        pytest.param([([(1, 2, 5)], []), ([(1, 6, 9)], [])], {(1, 2, 5), (1, 6, 9)}, set(), id="only gained"),
        pytest.param([([], [(1, 2, 5)]), ([], [(2, 6, 9)])], set(), {(1, 2, 5), (2, 6, 9)}, id="only lost"),
        pytest.param([([], [(1, 2, 9)]), ([(1, 4, 5)], [])], set(), {(1, 2, 3), (1, 6, 9)}, id="lost, then back"),
        pytest.param([([(1, 2, 9)], []), ([], [(1, 4, 5)])], {(1, 2, 3), (1, 6, 9)}, set(), id="gained, then lost"),
        pytest.param([([(1, 2, 3)], [(1, 7, 9)]), ([(1, 7, 9)], [])], {(1, 2, 3)}, set(), id="both at once"),
    ],
)
def test_what_has_come_back_has_not_changed(
    steps: list[tuple[list[Stretch], list[Stretch]]], gained: set[Stretch], lost: set[Stretch]
) -> None:
    net = Net([SILENT])
    for step in steps:
        net.add(changed(*step))
    changes = net.changes()
    assert {tuple(row) for row in changes.gained.get(SILENT, as_rows([])).tolist()} == gained
    assert {tuple(row) for row in changes.lost.get(SILENT, as_rows([])).tolist()} == lost
