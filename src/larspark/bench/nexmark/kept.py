"""What has been measured of NEXMark, kept in a folder as it is measured: a run that was interrupted goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from larspark.bench.measuring.store import code_version, machine
from larspark.bench.nexmark.costs import Cost, CostKey
from larspark.cache import write_whole

FILE = "nexmark.jsonl"


class KeptCosts:
    """Costs with the mark of what was measured; without a folder they are forgotten at the end."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = folder / FILE if folder else None
        self._records: dict[CostKey, dict[str, Any]] = {}
        if self._path and self._path.exists():
            for line in self._path.read_text("utf-8").splitlines():
                record = json.loads(line)
                self._records[Cost.from_json(record).key] = record

    def __iter__(self) -> Iterator[Cost]:
        return map(Cost.from_json, self._records.values())

    def found(self, key: CostKey, mark: str) -> Cost | None:
        """What was measured of the same sources on this machine."""
        record = self._records.get(key)
        same = record is not None and (record["mark"], record["machine"]) == (mark, machine())
        return Cost.from_json(record) if record is not None and same else None

    def put(self, cost: Cost, mark: str) -> None:
        """Keep it in place of an earlier one, and write everything down."""
        self._records[cost.key] = {**cost.as_json(), "mark": mark, "sources": code_version(), "machine": machine()}
        if self._path:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, "".join(json.dumps(one) + "\n" for one in self._records.values()).encode())

    def conditions(self) -> dict[str, int]:
        """How many figures were taken with which sources on which machine."""
        found: dict[str, int] = {}
        for record in self._records.values():
            parts = {**record["machine"]}
            system, cpu = parts.pop("system"), parts.pop("cpu")
            libraries = ", ".join(f"{name} {version}" for name, version in parts.items())
            told = f"{cpu}, {system}; {libraries}; sources {record['sources']}"
            found[told] = found.get(told, 0) + 1
        return found
