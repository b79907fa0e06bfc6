"""What a run did, told when it ends."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass
class Summary:
    used: int = 0
    """Events evaluated."""
    late: int = 0
    """Events whose time point was over when they came."""
    rejected: int = 0
    """Malformed lines, and atoms the program cannot take."""
    ticks: int = 0
    evaluations: int = 0
    outputs: int = 0
    dropped: int = 0
    """Outputs that a slow consumer did not get."""

    def as_dict(self) -> dict[str, int]:
        return asdict(self)

    def __str__(self) -> str:
        return (
            f"{self.used} events used, {self.late} late, {self.rejected} rejected; {self.ticks} ticks, "
            f"{self.evaluations} evaluations, {self.outputs} models written, {self.dropped} dropped"
        )
