"""What a query costs an engine, as it is told, kept and read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias

CostKey: TypeAlias = tuple[str, str, int, int, int]


@dataclass(frozen=True)
class Cost:
    """What a query cost an engine over a stream, or why it has no answer."""

    engine: str
    query: str
    events: int
    rate: int
    seed: int = 1
    cpu: float = 0
    """Seconds of all its processes."""
    wall: float = 0
    resident: int = 0
    """Bytes, the most so far."""
    rows: int | None = None
    compared: int | None = None
    """Rows over a little data, by which engines are compared."""
    error: str = ""

    @property
    def key(self) -> CostKey:
        return self.engine, self.query, self.events, self.rate, self.seed

    @property
    def thousands(self) -> float:
        """Thousand events per second of one core."""
        return self.events / max(self.cpu, 0.01) / 1000

    @property
    def megabytes(self) -> int:
        return self.resident >> 20

    def as_json(self) -> dict[str, Any]:
        found = asdict(self)
        if self.error:
            return {name: found[name] for name in ("engine", "query", "events", "rate", "seed", "error")}
        del found["error"]
        return {**found, "cpu": round(self.cpu, 3), "wall": round(self.wall, 3)}

    @staticmethod
    def from_json(told: Mapping[str, Any]) -> Cost:
        known = {field.name for field in fields(Cost)}
        return Cost(**{name: value for name, value in told.items() if name in known})


def cost_line(cost: Cost) -> str:
    """For the terminal."""
    told = cost.error or f"{cost.thousands:,.0f} thousand events/s per core, {cost.megabytes} MB"
    return f"{cost.engine} {cost.query}, {cost.events:,} events: {told}"
