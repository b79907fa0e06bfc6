"""Parquet, batch by batch; pyarrow is imported only here, when such a file is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from larspark.diagnostics import Diagnostic, Origin, Rejected
from larspark.runtime.formats.arrivals import Record, at_line
from larspark.runtime.formats.tables import Layout, Row, read_table
from larspark.runtime.formats.values import from_object


def read_parquet(path: Path, layout: Layout) -> Iterator[Record | Diagnostic]:
    """The records of a file; the line of an origin is the number of the row."""
    import pyarrow  # noqa: PLC0415  # start-up time
    import pyarrow.parquet  # noqa: PLC0415

    file = str(path)
    try:
        table = pyarrow.parquet.ParquetFile(path)
    except (pyarrow.ArrowException, OSError) as error:
        message = f"The file is not Parquet: {str(error).splitlines()[0].rstrip('.')}."
        raise Rejected([Diagnostic("E406", message, "Check the file and its ending.", at_line(file, 1))]) from error

    def rows() -> Iterator[tuple[Origin, Row]]:
        number = 0
        for batch in table.iter_batches():
            columns = [column.to_pylist() for column in batch.columns]
            for row in zip(*columns, strict=True):
                number += 1
                yield at_line(file, number), row

    with table:
        yield from read_table(table.schema_arrow.names, rows(), layout, from_object, at_line(file, 1))
