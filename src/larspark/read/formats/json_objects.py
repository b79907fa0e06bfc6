"""Many objects with `predicate` and `args` at once: Python reads them, since the lists of Arrow do not mix types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from larspark.blocks import Argument, Numbers
from larspark.blocks.arguments import argument_of
from larspark.diagnostics import Diagnostic
from larspark.language.calendar import TimeForm
from larspark.language.facts import Signature
from larspark.read.batch import Part
from larspark.read.chunk import UNTIMED
from larspark.read.columns.time_columns import Times
from larspark.read.columns.value_columns import typed_cells
from larspark.read.formats.json_records import decoder
from larspark.read.rules import Rules
from larspark.read.values.times import form_of, time_point
from larspark.read.values.values import NotAValue, from_object


class Objects:
    """What is found in lines of which each is one object; `left` are the places of those that are not as plain."""

    def __init__(self, content: bytes, places: Numbers, rules: Rules) -> None:
        self.parts: list[Part] = []
        self.times: list[tuple[Numbers, Times]] = []
        self.left: list[int] = []
        self._rules = rules
        objects = decoder.decode("[" + content.decode().replace("\n", ",") + "]")
        groups: dict[tuple[str, int], list[tuple[int, Any, list[Any]]]] = {}
        for place, one in zip(places.tolist(), objects, strict=True):
            predicate, args = one.get("predicate"), one.get("args")
            if isinstance(predicate, str) and isinstance(args, list) and not isinstance(one.get("atom"), str):
                groups.setdefault((predicate, len(args)), []).append((place, one.get("time"), args))
            else:
                self.left.append(place)
        for (predicate, arity), group in groups.items():
            self._add(Signature(predicate, arity), group)

    def _add(self, signature: Signature, group: Sequence[tuple[int, Any, list[Any]]]) -> None:
        places, times, args = zip(*group, strict=True)
        try:
            columns = tuple(_column(column) for column in zip(*args, strict=True))
        except NotAValue:
            self.left += places
            return
        rows = np.array(places, np.int64)
        self.parts.append(Part(signature, columns, rows))
        self.times.append((rows, _times(times, self._rules)))


def _column(values: Sequence[Any]) -> Argument:
    kinds = {*map(type, values)}
    if kinds == {int}:
        return argument_of(values)
    if kinds == {str}:
        return typed_cells(pa.array(values, pa.string())).column
    return argument_of([from_object(value) for value in values])


def _times(times: Sequence[Any], rules: Rules) -> Times:
    if not rules.timed:
        return Times(np.zeros(len(times), np.int64))
    found = [UNTIMED if time is None and rules.live else time_point(time, rules.calendar) for time in times]
    faults = {row: one for row, one in enumerate(found) if isinstance(one, Diagnostic)}
    points = np.array([0 if isinstance(one, Diagnostic) else one for one in found], np.int64)
    return Times(points, faults, max((form_of(time) for time in times), default=TimeForm.POINTS))
