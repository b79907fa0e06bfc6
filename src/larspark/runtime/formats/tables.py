"""Tables (CSV, Parquet): which columns make time, predicate and arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TypeAlias

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.language.facts import Fact
from larspark.language.values import Value
from larspark.runtime.formats.arrivals import RawTime, Record
from larspark.runtime.formats.json_lines import read_atom
from larspark.runtime.formats.values import NotAValue

Row: TypeAlias = Sequence[object]
Rows: TypeAlias = Iterable[tuple[Origin, Row]]


@dataclass(frozen=True)
class Layout:
    """How to read a table that has no column `atom` or `predicate`: its predicate, and the columns of the arguments."""

    predicate: str
    columns: tuple[str, ...] = ()
    """Empty: all columns but the time, as they come."""
    arity: int | None = None
    """Given: the table holds this predicate only, whatever its columns are called."""
    timed: bool = True
    """Whether a column `time` is the time of the row rather than an argument."""


def read_table(
    header: Sequence[str], rows: Rows, layout: Layout, to_value: Callable[[object], Value], origin: Origin
) -> Iterator[Record | Diagnostic]:
    """The records of a table; `Rejected` when its columns do not fit the layout."""
    reader = _reader(header, layout, to_value, origin)
    for place, row in rows:
        if len(row) != len(header):
            message = f"The row has {len(row)} cells, but there are {len(header)} columns."
            yield Diagnostic("E401", message, "Give every row a cell for every column.", place)
            continue
        try:
            fact = reader.fact(row, place)
        except NotAValue as error:
            yield Diagnostic("E403", f"A cell holds {error}.", "Arguments are numbers and texts.", place)
            continue
        yield fact if isinstance(fact, Diagnostic) else Record(fact, reader.time(row), place)


def _reader(header: Sequence[str], layout: Layout, to_value: Callable[[object], Value], origin: Origin) -> _RowReader:
    names = list(header)
    time = names.index("time") if layout.timed and "time" in names else None
    if layout.arity is None and not layout.columns:
        if "atom" in names:
            return _RowReader(time, to_value, atom=names.index("atom"))
        if "predicate" in names:
            at = names.index("predicate")
            args = tuple(i for i in range(len(names)) if i not in (time, at))
            return _RowReader(time, to_value, named=at, args=args)
    missing = [name for name in layout.columns if name not in names]
    if missing:
        message = f"There is no column `{missing[0]}`."
        raise Rejected([Diagnostic("E407", message, f"The columns are {', '.join(names)}.", origin)])
    args = tuple(map(names.index, layout.columns)) or tuple(i for i in range(len(names)) if i != time)
    if layout.arity is not None and len(args) != layout.arity:
        message = f"`{layout.predicate}/{layout.arity}` cannot be read from {len(args)} columns."
        raise Rejected([Diagnostic("E407", message, f"The columns are {', '.join(names)}.", origin)])
    return _RowReader(time, to_value, predicate=layout.predicate, args=args)


@dataclass(frozen=True)
class _RowReader:
    """The places of time, atom or predicate, and arguments in a row."""

    time_at: int | None
    to_value: Callable[[object], Value]
    predicate: str = ""
    atom: int | None = None
    named: int | None = None
    args: tuple[int, ...] = ()

    def time(self, row: Row) -> RawTime:
        raw = None if self.time_at is None else row[self.time_at]
        match raw:
            case bool():
                return str(raw)
            case int() | str() | datetime() | Decimal() | None:
                return raw
            case float():
                return Decimal(repr(raw))
        return str(raw)

    def fact(self, row: Row, origin: Origin) -> Fact | Diagnostic:
        if self.atom is not None:
            return read_atom(str(row[self.atom]), origin)
        if self.named is None:
            return Fact(self.predicate, tuple(self.to_value(row[i]) for i in self.args))
        return Fact(str(row[self.named]), tuple(map(self.to_value, _arguments([row[i] for i in self.args]))))


def _arguments(cells: list[object]) -> list[object]:
    """The arguments of a row with its own predicate: a list in one column, or cells, of which the last may be empty."""
    if len(cells) == 1 and isinstance(cells[0], list):
        return cells[0]
    while cells and cells[-1] in ("", None):
        cells.pop()
    return cells
