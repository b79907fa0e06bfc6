"""Answers over time as tables: one with every atom, and one for each predicate with a column per argument."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from larspark.analysis.typing.sorts import OPEN, Sorts
from larspark.blocks import Block
from larspark.diagnostics import Diagnostic, Rejected
from larspark.extras import require
from larspark.language.facts import Signature
from larspark.runtime.atoms import time_of
from larspark.write.columns import arrow_type, sort_in
from larspark.write.intervals import interval_schema, interval_table
from larspark.write.points import Span
from larspark.write.shapes import change_schema, change_table
from larspark.write.tables import table_of, table_schema
from larspark.write.times import POINTS, TimeWriter

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]
    import polars as pl

    from larspark.explain.faces.face import Explanation
    from larspark.questions.explaining import Case

SHOWN = 20
"""Rows that are shown of a table."""


class Tabular:
    """What is a table and can be handed on as one."""

    def to_arrow(self) -> pa.Table:
        raise NotImplementedError

    def to_pandas(self) -> pd.DataFrame:
        require("pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        require("polars")
        import polars  # noqa: PLC0415 - who asks for it has it

        found = polars.from_arrow(self.to_arrow())
        assert isinstance(found, polars.DataFrame)
        return found

    def to_pylist(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.to_arrow().to_pylist()
        return rows

    def __len__(self) -> int:
        return int(self.to_arrow().num_rows)

    def __repr__(self) -> str:
        names, rows = self._texts()
        widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (names, *rows)
        ]
        return "\n".join([*(line.rstrip() for line in lines), *self._rest()])

    def _repr_html_(self) -> str:
        names, rows = self._texts()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        rest = "".join(f"<p>{html.escape(line)}</p>" for line in self._rest())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"

    def _texts(self) -> tuple[list[str], list[list[str]]]:
        table = self.to_arrow()
        rows = table.slice(0, SHOWN).to_pylist()
        return table.column_names, [["" if cell is None else str(cell) for cell in row.values()] for row in rows]

    def _rest(self) -> list[str]:
        return [f"({SHOWN} of {len(self)} rows)"] if len(self) > SHOWN else []


@dataclass(frozen=True, repr=False)
class AnswerTable(Tabular):
    """A table of answers."""

    table: pa.Table

    def to_arrow(self) -> pa.Table:
        return self.table


class ChangeTable(Tabular):
    """What appears (`+`) and disappears (`-`) at which evaluation: `time`, `change`, `atom`, and `at` if it is pinned.

    The table is made when somebody looks at it.
    """

    def __init__(self, parts: Sequence[tuple[Span, Span]]) -> None:
        self.parts = parts

    @cached_property
    def _table(self) -> pa.Table:
        return pa.concat_tables([change_schema(POINTS).empty_table(), *map(change_table, self.parts)])

    def to_arrow(self) -> pa.Table:
        return self._table


@dataclass(frozen=True, repr=False)
class Intervals(Mapping[str, AnswerTable]):
    """Every shown atom with the intervals in which it holds, both ends included; `intervals["alarm"]` is one predicate.

    A name stands for a predicate; where it has several arities, `alarm/1` and `alarm/2` do.
    """

    blocks: tuple[Block, ...]
    names: Mapping[str, Signature]
    columns: Mapping[Signature, Sequence[str]]
    """The names of the arguments."""
    case: Callable[[], Case] | None = field(default=None, compare=False)
    """Gives what the answers are about, for questions."""
    times: TimeWriter = POINTS
    """How times leave."""
    sorts: Sorts = field(default_factory=dict)
    """What is known of the arguments, whatever values there are."""

    def why(self, row: Mapping[str, Any] | str, at: int | datetime | None = None, depth: int | None = 3) -> Explanation:
        """Why an atom holds: a row of `to_pylist()` at its first evaluation (or `at`), or an atom at an evaluation."""
        from larspark.explain.faces.face import why_explanation  # noqa: PLC0415 - computed on request, loaded on request

        atom, time = self._asked(row, at)
        assert self.case is not None
        (found,) = self.case().why(atom, time, depth=depth)
        return why_explanation(found)

    def why_not(self, atom: str, at: int | datetime) -> Explanation:
        """Why an atom does not hold at an evaluation, and what would change that."""
        from larspark.explain.faces.face import why_not_explanation  # noqa: PLC0415

        assert self.case is not None
        return why_not_explanation(self.case().why_not(atom, time_of(at, self.times.calendar)))

    def _asked(self, row: Mapping[str, Any] | str, at: int | datetime | None) -> tuple[str, int]:
        calendar = self.times.calendar
        match row:
            case str() if at is not None:
                return row, time_of(at, calendar)
            case {"atom": str(atom), "from": int() | datetime() as first, **rest}:
                pinned: Any = rest.get("at")
                asked = atom if pinned is None else f"@{time_of(pinned, calendar)} {atom}"
                return asked, time_of(first if at is None else at, calendar)
        message = "A question is about a row of `to_pylist()`, or about an atom and `at` an evaluation."
        raise Rejected([Diagnostic("E561", message, "result.why('alarm(press)', at=47)")])

    @cached_property
    def everything(self) -> AnswerTable:
        table = self._intervals(self.blocks)
        return AnswerTable(table.sort_by([("from", "ascending"), ("atom", "ascending"), ("to", "ascending")]))

    def __getitem__(self, name: str) -> AnswerTable:
        signature = self.names[name]
        own = [block for block in self.blocks if block.signature == signature]
        kinds = []
        for place in range(signature.arity):
            known = self.sorts[signature][place] if signature in self.sorts else OPEN
            values = [sort_in(block.arguments[place]) for block in own]
            kinds.append(arrow_type(known.holding(reduce(or_, values) if values else known), self.times))
        schema = table_schema(self.columns[signature], kinds, self.times, changes=False).remove_metadata()
        rows = (table_of(block, schema, self.times, changes=False) for block in own)
        table = pa.concat_tables([schema.empty_table(), *rows])
        if len(own) == 1 and _in_order(own[0]):
            return AnswerTable(table)
        return AnswerTable(table.sort_by([("from", "ascending"), ("to", "ascending")]))

    def _intervals(self, blocks: Sequence[Block]) -> pa.Table:
        tables = (interval_table(block, self.times) for block in blocks)
        return pa.concat_tables([interval_schema(self.times).empty_table(), *tables])

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def to_arrow(self) -> pa.Table:
        """`from`, `to`, `atom`, and `at` where an atom is pinned to another time point."""
        return self.everything.to_arrow()

    def to_pandas(self) -> pd.DataFrame:
        return self.everything.to_pandas()

    def to_polars(self) -> pl.DataFrame:
        return self.everything.to_polars()

    def to_pylist(self) -> list[dict[str, Any]]:
        return self.everything.to_pylist()

    def __repr__(self) -> str:
        return repr(self.everything)

    def _repr_html_(self) -> str:
        return self.everything._repr_html_()


def _in_order(block: Block) -> bool:
    """Whether the rows are in the order of time; of those that begin together the first to end comes first."""
    assert block.until is not None
    later, same = block.times[1:] > block.times[:-1], block.times[1:] == block.times[:-1]
    return bool((later | (same & (block.until[1:] >= block.until[:-1]))).all())
