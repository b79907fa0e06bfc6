"""What is to be reached: ratios within one run, and a few absolute values as guides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from larspark.bench.measuring.measure import Measurement


@dataclass(frozen=True)
class Target:
    """A limit on one contestant: times a peer's cost, or microseconds per atom or per time point."""

    workload: str
    contestant: str
    limit: float
    against: str
    """A peer, or `us/atom`, or `us/point`."""
    where: Mapping[str, int] = field(default_factory=dict)
    """The parameters for which it is meant; others do not matter."""

    def meant_for(self, measurement: Measurement) -> bool:
        return (self.workload, self.contestant) == (measurement.workload, measurement.contestant) and all(
            measurement.parameters[name] == value for name, value in self.where.items()
        )

    def reached(self, measurement: Measurement) -> float | None:
        """The value to compare with the limit; None when the peer did not run."""
        match self.against:
            case "us/atom":
                return measurement.us_per_atom
            case "us/point":
                return min(measurement.us_per_point)
        return measurement.ratios.get(self.against)

    def __str__(self) -> str:
        unit = {"us/atom": " µs/atom", "us/point": " µs/point"}.get(self.against, f"× {self.against}")
        return f"≤ {self.limit:g}{unit}"


_USUAL = {"window": 20, "rate": 200}
_THESIS = {"window": 50}

TARGETS = (
    Target("diamond", "live", 3, "hand", _USUAL),
    Target("diamond", "replay", 1, "hand", _USUAL),
    Target("box", "live", 3, "hand", _USUAL),
    Target("box", "replay", 1, "hand", _USUAL),
    Target("box-unique", "live", 3, "hand", _USUAL),
    Target("box-unique", "replay", 1, "hand", _USUAL),
    Target("join-chain", "live", 1, "hand", _USUAL),
    Target("join-chain", "replay", 0.35, "hand", _USUAL),
    Target("join-random", "live", 0.5, "hand", _USUAL),
    Target("join-random", "replay", 0.15, "hand", _USUAL),
    Target("aggregate", "live", 2, "hand", _USUAL),
    Target("aggregate", "replay", 1, "hand", _USUAL),
    Target("aggregate-decimals", "live", 2, "hand", _USUAL),
    Target("aggregate-decimals", "replay", 1, "hand", _USUAL),
    Target("cooling", "live", 1, "us/atom", _USUAL),
    Target("sparse", "live", 30, "us/atom"),
    Target("sparse", "replay", 3, "us/atom"),
    Target("negation", "live", 2, "hand", _USUAL),
    Target("negation", "replay", 1, "hand", _USUAL),
    Target("lasting-crowds", "live", 2, "hand", _USUAL),
    Target("lasting-crowds", "replay", 1, "hand", _USUAL),
    Target("reach", "live", 0.05, "literal", _THESIS),
    Target("strategy", "live", 0.05, "literal", _THESIS),
    Target("content", "clingo", 0.333, "literal", _THESIS),
    Target("content", "clingo", 0.2, "literal", {"window": 500}),
    # Twice the time points per second published for the truth maintenance of the original (241, 197, 138, 26), which
    # evaluates at every tick.
    Target("basic-td", "jtms-ticks", 2075, "us/point", _THESIS),
    Target("reach", "jtms-ticks", 2538, "us/point", _THESIS),
    Target("strategy", "jtms-ticks", 3623, "us/point", _THESIS),
    Target("content", "jtms-ticks", 19231, "us/point", _THESIS),
)


def verdict(measurement: Measurement, targets: Sequence[Target] = TARGETS) -> str:
    """`≤ 3× hand: met` or `missed`; empty where nothing is asked."""
    for target in targets:
        value = target.reached(measurement) if target.meant_for(measurement) else None
        if value is not None:
            return f"{target}: {'met' if value <= target.limit else 'missed'}"
    return ""
