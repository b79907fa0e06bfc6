"""Many lines that are objects of Python: with an atom, or with `predicate` and `args`, which may mix types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from larspark.blocks import Argument, Numbers
from larspark.blocks.arguments import argument_of
from larspark.diagnostics import Diagnostic
from larspark.language.calendar import TimeForm
from larspark.language.facts import Signature
from larspark.read.batch import PredicateColumns
from larspark.read.chunk import UNTIMED
from larspark.read.columns.atoms import read_atoms
from larspark.read.columns.time_columns import Times
from larspark.read.columns.value_columns import typed_cells
from larspark.read.formats.json_records import decoder
from larspark.read.formats.lines import Lines
from larspark.read.rules import Rules
from larspark.read.values.times import form_of, time_point
from larspark.read.values.values import NotAValue, from_object

_HALF = re.compile(rb"\\u[dD]")
"""Perhaps one half of a character that takes two."""
LONGEST = 900
"""Bytes of a line: no number in it is too long for Python, and nothing is nested too deep."""


class Objects:
    """What is found in some lines; `left` are the places of those that are not as plain."""

    def __init__(self, lines: Lines, rows: Numbers, places: Numbers, rules: Rules) -> None:
        self.parts: list[PredicateColumns] = []
        self.times: list[tuple[Numbers, Times]] = []
        self.faults: dict[int, Diagnostic] = {}
        self.left: list[int] = []
        self._rules = rules
        atoms: list[tuple[int, Any, str]] = []
        groups: dict[tuple[str, int], list[tuple[int, Any, list[Any]]]] = {}
        for place in places.tolist():
            match _object(lines.line(int(rows[place]))):
                case {"atom": str(text), **rest}:
                    atoms.append((place, rest.get("time"), text))
                case {"predicate": str(predicate), "args": list(args), **rest}:
                    groups.setdefault((predicate, len(args)), []).append((place, rest.get("time"), args))
                case _:
                    self.left.append(place)
        if atoms:
            self._add_atoms(atoms)
        for (predicate, arity), group in groups.items():
            self._add(Signature(predicate, arity), group)

    def _add_atoms(self, group: Sequence[tuple[int, Any, str]]) -> None:
        places, times, texts = zip(*group, strict=True)
        rows, atoms = np.array(places, np.int64), read_atoms(pa.array(texts, pa.string()))
        self.parts += [
            PredicateColumns(one.signature, one.arguments, rows if one.rows is None else rows[one.rows])
            for one in atoms.parts
        ]
        self.times.append((rows, _times(times, self._rules)))
        self.faults |= {int(rows[row]): fault for row, fault in atoms.faults.items()}

    def _add(self, signature: Signature, group: Sequence[tuple[int, Any, list[Any]]]) -> None:
        places, times, args = zip(*group, strict=True)
        try:
            columns = tuple(_column(column) for column in zip(*args, strict=True))
        except NotAValue:
            self.left += places
            return
        rows = np.array(places, np.int64)
        self.parts.append(PredicateColumns(signature, columns, rows))
        self.times.append((rows, _times(times, self._rules)))


def _object(line: bytes) -> object:
    """The object, or nothing where it takes the rules for one line to tell what is wrong."""
    if len(line) > LONGEST or _HALF.search(line):
        return None
    try:
        return decoder.decode(line.decode())
    except ValueError:
        return None


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
