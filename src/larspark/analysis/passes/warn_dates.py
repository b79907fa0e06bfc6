"""Dates where only numbers can stand: `T > 2026-03-10` is a subtraction, and nothing is ever at a text."""

from __future__ import annotations

from collections.abc import Iterator

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic, Severity
from larspark.language.traversal import walk
from larspark.language.tree import At, Constant, Node, Operation, Reader

YEARS, MONTHS, DAYS = range(1900, 2201), range(1, 13), range(1, 32)


def warn_dates(analysis: Analysis) -> Analysis:
    """Warn about terms that look like dates and times but are not."""
    found = (warning for reader in analysis.program.readers for warning in _warnings(reader))
    return analysis.finding(*dict.fromkeys(found))


def _warnings(reader: Reader) -> Iterator[Diagnostic]:
    for node in walk(reader):
        match node:
            case Operation("-", Operation("-", Constant(int(year)), Constant(int(month))), Constant(int(day))) if (
                year in YEARS and month in MONTHS and day in DAYS
            ):
                message = f"`{year}-{month:02}-{day:02}` is no date but a subtraction: {year - month - day}."
                hint = f'Compare the date of a time point, which is a text: `date(T) > "{year}-{month:02}-{day:02}"`.'
                yield _warning(message, hint, node, reader)
            case At(Constant(str(text))):
                message = f'Nothing is ever at "{text}": times in rules are time points, which are numbers.'
                date = text.partition("T")[0]
                hint = f'Take a variable, and ask for its date and hour: `@T …, date(T) = "{date}", hour(T) = 8`.'
                yield _warning(message, hint, node, reader)


def _warning(message: str, hint: str, node: Node, reader: Reader) -> Diagnostic:
    return Diagnostic("W211", message, hint, node.origin or reader.origin, Severity.WARNING)
