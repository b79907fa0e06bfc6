"""The report of the pipeline demo: what Spark has written, over the input, with proofs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path

import pyarrow.parquet as pq

from larspark.explain.history import History, Stretch
from larspark.language.facts import Fact
from larspark.language.values import Value, normal
from larspark.runtime.explaining import Case
from larspark.runtime.prepared import prepare
from larspark.runtime.sourced import read_sourced
from larspark.web.counts import rule_counts
from larspark.web.picture import Extras, first_proofs, picture_of
from larspark.web.report import write_report

PROVED = 12
"""Proofs of a report; each evaluates a part of the input again."""


def write_demo_report(program: Path, inputs: Path, tables: Mapping[str, Path], file: Path) -> None:
    prepared = prepare(program).require()
    stream = read_sourced(inputs, prepared)
    case = Case.of(prepared, stream.arrivals)
    stretches = tuple(one for name, place in tables.items() for one in _stretches(name, place))
    history = History(case.start, case.end, stretches)
    extras = Extras("run", tuple(first_proofs(case, history, PROVED)), ask=f"{program} --stream {inputs}")
    write_report(picture_of(case, program, extras, history) | {"counts": rule_counts(case)}, file)


def _stretches(name: str, place: Path) -> Iterator[Stretch]:
    table = pq.read_table(place)
    columns = [table.column(title).to_pylist() for title in table.column_names]
    for *arguments, first, last, at in zip(*columns, strict=True):
        yield Stretch(Fact(name, tuple(map(_value, arguments))), at, first, last)


def _value(cell: object) -> Value:
    match cell:
        case float():
            return normal(Decimal(repr(cell)))
        case Decimal():
            return normal(cell)
        case int() | str():
            return cell
    raise TypeError(f"{cell!r} is no value")
