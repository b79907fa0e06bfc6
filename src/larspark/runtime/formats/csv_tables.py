"""CSV with a header line."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import BinaryIO

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.values import Value
from larspark.runtime.formats.arrivals import Record, at_line
from larspark.runtime.formats.tables import Layout, Rows, read_table
from larspark.runtime.formats.values import NotAValue, from_cell


def read_csv(lines: BinaryIO, file: str, layout: Layout) -> Iterator[Record | Diagnostic]:
    """The records below the header."""
    # Bytes that are not UTF-8 become lone surrogates, so that one bad cell does not end the reading.
    text = (line.decode("utf-8", "surrogateescape") for line in lines)
    reader = csv.reader(text, strict=True)
    try:
        header = [name.strip().removeprefix("\ufeff") for name in next(reader, [])]
        if not header:
            message = "The file has no header line."
            raise Rejected([Diagnostic("E407", message, "Name the columns in the first line.", at_line(file, 1))])
        rows: Rows = ((at_line(file, reader.line_num), row) for row in reader if row)
        yield from read_table(header, rows, layout, _value, at_line(file, 1))
    except csv.Error as error:
        place = at_line(file, max(reader.line_num, 1))
        message = f"The line is not CSV: {error}."
        raise Rejected([Diagnostic("E401", message, "Quote cells with commas or quotes.", place)]) from error


def _value(cell: object) -> Value:
    text = str(cell)
    if any("\udc80" <= character <= "\udcff" for character in text):
        raise NotAValue("bytes that are not UTF-8 text")
    return from_cell(text)
