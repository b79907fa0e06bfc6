"""Rows that enter and leave the preconditions of a goal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from larspark.hypothetical.online.relations import Row
from larspark.hypothetical.online.stages import ProgressStage


class RowPlace(NamedTuple):
    """Where a row is; rows of different stages may have the same values."""

    progress: tuple[int, ...]
    row: Row


@dataclass
class RowChanges:
    """Rows that have entered or left since somebody last looked; what did both is not told."""

    entered: dict[RowPlace, ProgressStage] = field(default_factory=dict)
    left: dict[RowPlace, None] = field(default_factory=dict)

    def enter(self, stage: ProgressStage, row: Row) -> None:
        place = RowPlace(stage.progress, row)
        if place in self.left:
            del self.left[place]
        else:
            self.entered[place] = stage

    def leave(self, stage: ProgressStage, row: Row) -> None:
        place = RowPlace(stage.progress, row)
        if place in self.entered:
            del self.entered[place]
        else:
            self.left[place] = None
