"""Conclusions as DataFrames: blocks are handed out, and become rows of a table when it is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_type

from larspark.analysis.typing.sorts import Sort
from larspark.blocks import Block
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Signature
from larspark.spark.evaluate.messages import OUTPUT, Batches, Message, messages_of, received
from larspark.spark.write.files import Report
from larspark.write.columns import arrow_type, sort_in
from larspark.write.tables import NoRoomError, table_of, table_schema
from larspark.write.times import POINTS, TimeWriter


@dataclass(frozen=True)
class FrameOutput:
    """Shown conclusions as messages."""

    numbers: Mapping[Signature, int]

    def tables(self, signatures: frozenset[Signature]) -> TableBlocks:
        return TableBlocks({one: self.numbers[one] for one in signatures})


class TableBlocks:
    """Hands out blocks, and reports what is in them."""

    def __init__(self, numbers: Mapping[Signature, int]) -> None:
        self._numbers = numbers
        self._reports: dict[Signature, Report] = {}

    def add(self, block: Block) -> Iterator[Message]:
        number = self._numbers[block.signature]
        sorts = tuple(map(sort_in, block.arguments))
        before = self._reports.get(block.signature, Report(number, "", 0, sorts))
        joined = tuple(old | new for old, new in zip(before.sorts, sorts, strict=True))
        self._reports[block.signature] = Report(number, "", before.rows + len(block), joined)
        return messages_of(block, OUTPUT, 0, number)

    def close(self) -> Iterator[Message]:
        return (report.message() for report in self._reports.values())


@dataclass(frozen=True)
class TableRows:
    """The function for `mapInArrow` that makes rows of a table, whose types are known."""

    name: str
    signature: Signature
    columns: Mapping[str, Sort]
    """The arguments."""
    changes: bool
    signed: bool = False
    """Whether the blocks have changes already."""
    times: TimeWriter = POINTS
    """How times are written."""

    @property
    def schema(self) -> str:
        """As Spark is told it."""
        return ", ".join(f"`{one.name}` {_spark_type(one)}" for one in self._schema)

    @property
    def _schema(self) -> pa.Schema:
        kinds = [arrow_type(sort, self.times) for sort in self.columns.values()]
        return table_schema(list(self.columns), kinds, self.times, changes=self.changes)

    def __call__(self, batches: Batches) -> Batches:
        for message in received(batches):
            yield from self.rows(message.block({message.predicate: self.signature})).to_batches()

    def rows(self, block: Block) -> pa.Table:
        schema = self._schema
        try:
            return table_of(block, schema, self.times, changes=self.changes, signed=self.signed)
        except NoRoomError as error:
            column, _, reason = str(error).partition("\t")
            message = (
                f"A value of the column `{column}` of {self.name} is no {_spark_type(schema.field(column))}: {reason}."
            )
            hint = f"Say another type with `columns={{'{self.name}': '{column} string, …'}}`."
            raise Rejected([Diagnostic("E613", message, hint)]) from error


def _spark_type(column: pa.Field) -> str:
    return from_arrow_type(column.type, prefer_timestamp_ntz=True).simpleString()
