"""Records that were refused, as lines that can be corrected and read again: JSON lines, whatever they came as."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from larspark.diagnostics import Diagnostic, Rejected
from larspark.read.columns.layout import RowLayout
from larspark.read.formats.endings import CSV
from larspark.read.rules import Rules


def fed_again(record: str, reason: str, source: str | None, rules: Rules) -> str:
    """The record as JSON, with the reason and the source; what is no record at all stands there as text."""
    try:
        data = json.loads(record, parse_float=Decimal, parse_constant=lambda _name: None)
    except (ValueError, InvalidOperation, RecursionError):
        data = _cells(record, source)
    told = _positioned(data, Path(source or "").stem, rules) if isinstance(data, dict) else {"record": record}
    return json.dumps({**told, "reason": reason, "source": source}, ensure_ascii=False, default=_number)


def reason_of(finding: Diagnostic) -> str:
    return f"{finding.code}: {finding.message}"


def _cells(record: str, source: str | None) -> Mapping[str, Any] | None:
    """A row of a CSV file by the names of its columns; None if it has no names for its cells."""
    if source is None or Path(source).suffix.lower() not in CSV:
        return None
    try:
        with open(source, encoding="utf-8-sig", newline="") as file:
            names = [name.strip() for name in next(csv.reader(file), [])]
        cells = next(csv.reader([record]), [])
    except (OSError, ValueError, csv.Error):
        return None
    return {name: _cell(cell) for name, cell in zip(names, cells, strict=True)} if len(names) == len(cells) else None


def _cell(text: str) -> str | int | Decimal | None:
    """Digits are numbers in CSV, and nothing is nothing."""
    bare = text.strip()
    if not bare:
        return None
    try:
        return int(bare) if bare.lstrip("-").isdigit() else Decimal(bare) if bare[-1].isdigit() else text
    except (InvalidOperation, ValueError):
        return text


def _positioned(data: Mapping[str, Any], predicate: str, rules: Rules) -> dict[str, Any]:
    """A row of a table with its arguments in their order."""
    if "atom" in data or ("predicate" in data and "args" in data):
        return dict(data)
    names = list(data)
    try:
        layout = RowLayout.of(names, predicate, rules, None)
    except Rejected:
        return dict(data)
    values = list(data.values())
    told = predicate if layout.named is None else values[layout.named]
    time = {} if layout.time is None else {"time": values[layout.time]}
    return {**time, "predicate": told, "args": [values[place] for place in layout.arguments]}


def _number(value: object) -> object:
    return float(value) if isinstance(value, Decimal) else str(value)
