"""The tables of a stream as Arrow tables. The types of later values are not known, so the first ones decide.

An argument is a column of 64-bit integers as long as all its values are whole numbers that fit, and of text from the
first other value on; the files that are there are then written again with text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from larspark.language.facts import Signature
from larspark.language.values import Value, show_value
from larspark.spark.plan import Plan
from larspark.spark.rows import from_text
from larspark.spark.tables import argument_names, table_names


def text_columns(plan: Plan, conclusions: pa.Table) -> Iterator[tuple[str, str]]:
    """The tables and columns with a value that is no whole number."""
    for name, signature in table_names(plan).items():
        part = _of(plan, signature, conclusions)
        for place, column in enumerate(argument_names(plan, signature)):
            texts = part.column(f"s{place}")
            if texts.null_count < len(texts):
                yield name, column


def typed_tables(
    plan: Plan, conclusions: pa.Table, texts: Collection[tuple[str, str]]
) -> Iterator[tuple[str, pa.Table]]:
    """The table of each shown predicate."""
    for name, signature in table_names(plan).items():
        part, names = _of(plan, signature, conclusions), argument_names(plan, signature)
        cells = [
            _spelled(part.column(f"n{place}"), part.column(f"s{place}"))
            if (name, column) in texts
            else part.column(f"n{place}")
            for place, column in enumerate(names)
        ]
        times = [part.column(one) for one in ("time", "until", "at")]
        yield name, pa.table([*cells, *times], names=[*names, "from", "to", "at"])


def change_tables(
    plan: Plan, begun: pa.Table, over: pa.Table, texts: Collection[tuple[str, str]]
) -> Iterator[tuple[str, pa.Table]]:
    """The same as changes: `+` where an interval starts, `-` right after its end."""
    ends = dict(typed_tables(plan, over, texts))
    for name, starts in typed_tables(plan, begun, texts):
        opened = _changes(starts, "+", starts.column("from"))
        yield name, pa.concat_tables([opened, _changes(ends[name], "-", pc.add(ends[name].column("to"), 1))])


def _changes(intervals: pa.Table, sign: str, times: pa.ChunkedArray) -> pa.Table:
    kept = intervals.drop_columns(["from", "to"])
    return kept.append_column("change", pa.array([sign] * len(kept), pa.string())).append_column("time", times)


def as_text(table: pa.Table, columns: Collection[str]) -> pa.Table:
    """The same table with text in these columns."""
    fields = [field.with_type(pa.string()) if field.name in columns else field for field in table.schema]
    return table.cast(pa.schema(fields))


def _of(plan: Plan, signature: Signature, conclusions: pa.Table) -> pa.Table:
    return conclusions.filter(pc.equal(conclusions.column("predicate"), plan.vocabulary.numbers[signature]))


def _spelled(numbers: pa.ChunkedArray, texts: pa.ChunkedArray) -> pa.ChunkedArray:
    encoded = texts.combine_chunks().dictionary_encode()
    shown = pa.array([_shown(from_text(text)) for text in encoded.dictionary.to_pylist()], pa.string())
    return pc.coalesce(pa.chunked_array([shown.take(encoded.indices)]), pc.cast(numbers, pa.string()))


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else show_value(value)
