"""Conclusions as tables: per predicate its arguments, `from`, `to`, and `at` for pinned atoms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from larspark.language.facts import Signature
from larspark.spark.plan import Plan
from larspark.spark.rows import ESCAPE

MOST_DIGITS = 38
"""What Spark's decimals can hold."""


class Seen(NamedTuple):
    """What there is among the values of an argument."""

    whole: bool = False
    """Whole numbers."""
    symbols: bool = False
    scale: int | None = None
    """Other numbers, with so many digits after the point at most."""
    length: int | None = None
    """The longest of their spellings."""

    @property
    def spelled(self) -> bool:
        """Not whole numbers alone."""
        return self.symbols or self.scale is not None

    def joined(self, other: Seen) -> Seen:
        scales, lengths = ([n for n in pair if n is not None] for pair in zip(self[2:], other[2:], strict=True))
        both = self.whole or other.whole, self.symbols or other.symbols
        return Seen(*both, max(scales, default=None), max(lengths, default=None))

    @property
    def kind(self) -> str:
        """The type of a column that can hold them all."""
        if self.symbols or (self.scale is not None and (self.length or 0) + self.scale > MOST_DIGITS):
            return "string"
        if self.scale is None:
            return "bigint" if self.whole else "string"
        return f"decimal({MOST_DIGITS},{self.scale})"


@dataclass(frozen=True)
class Contents:
    """What conclusions hold, by the number of the predicate: how many rows, and the type of each argument."""

    rows: Mapping[int, int]
    kinds: Mapping[tuple[int, int], str]


def result_tables(plan: Plan, conclusions: DataFrame, contents: Contents) -> dict[str, DataFrame]:
    """The table of each shown predicate."""
    return {name: _table(plan, conclusions, one, contents.kinds) for name, one in table_names(plan).items()}


def table_names(plan: Plan) -> dict[str, Signature]:
    """The shown predicates by name (with the arity when a name has several)."""
    names = [signature.predicate for signature in plan.shown]
    return {str(one) if names.count(one.predicate) > 1 else one.predicate: one for one in plan.shown}


def argument_names(plan: Plan, signature: Signature) -> list[str]:
    """The columns of the arguments: as `#input` names them, otherwise arg1, arg2, …"""
    named = plan.vocabulary.columns_of(signature.predicate)
    return list(named) if len(named) == signature.arity else [f"arg{n + 1}" for n in range(signature.arity)]


def _table(plan: Plan, conclusions: DataFrame, signature: Signature, kinds: Mapping[tuple[int, int], str]) -> DataFrame:
    number = plan.vocabulary.numbers[signature]
    names = argument_names(plan, signature)
    cells = [_cell(place, kinds.get((number, place), "string")).alias(name) for place, name in enumerate(names)]
    times = [sf.col("time").alias("from"), sf.col("until").alias("to"), sf.col("at")]
    return conclusions.where(sf.col("predicate") == number).select(*cells, *times)


def contents_of(plan: Plan, conclusions: DataFrame) -> Contents:
    """Look through all conclusions: the type of an argument follows from the values it has."""
    width = plan.vocabulary.width
    counted: list[Column] = [sf.count(sf.lit(1)).alias("rows")]
    for place in range(width):
        number, text = sf.col(f"n{place}"), sf.col(f"s{place}")
        digits = text.startswith(ESCAPE) & ~text.startswith(ESCAPE * 2)
        fraction = sf.length(sf.substring_index(text, ".", -1))
        counted += [
            (sf.count(number) > 0).alias(f"whole{place}"),
            (sf.count_if(text.isNotNull() & ~digits) > 0).alias(f"symbols{place}"),
            sf.max(sf.when(digits, fraction)).alias(f"scale{place}"),
            sf.max(sf.when(digits, sf.length(text))).alias(f"length{place}"),
        ]
    found = conclusions.groupBy("predicate").agg(*counted).collect()
    kinds = {
        (row["predicate"], place): Seen(*(row[f"{name}{place}"] for name in Seen._fields)).kind
        for row in found
        for place in range(width)
    }
    return Contents({row["predicate"]: row["rows"] for row in found}, kinds)


def _cell(place: int, kind: str) -> Column:
    number, text = sf.col(f"n{place}"), sf.expr(f"ltrim('{ESCAPE}', s{place})")
    if kind == "bigint":
        return number
    return sf.coalesce(number.cast("string"), text).cast(kind)


def change_log(table: DataFrame) -> DataFrame:
    """The same conclusions as changes: `+` where an interval starts, `-` right after its end."""
    arguments = [name for name in table.columns if name not in ("from", "to")]
    opened = table.select(*arguments, sf.lit("+").alias("change"), sf.col("from").alias("time"))
    closed = table.select(*arguments, sf.lit("-").alias("change"), (sf.col("to") + 1).alias("time"))
    return opened.unionByName(closed)
