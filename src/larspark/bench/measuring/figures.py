"""Experiments: what is measured otherwise than by running contestants over a workload, and the numbers it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One measured number; with an `axis` it is a point of a curve, and curves of an experiment make its plot."""

    what: str
    """Names the line of the table, or the curve: `atoms per second, partitioned by key`."""
    value: float
    unit: str
    """`s`, `bytes`, `atoms/s`; empty for a ratio."""
    limit: float | None = None
    """What is asked; None: the number is for information."""
    at_least: bool = False
    """The limit is to be exceeded, not kept."""
    axis: str = ""
    """What grows along the curve: `time points before`."""
    at: float = 0
    """Where on the axis."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else belongs into the JSON: sizes, repetitions, hashes of answers."""

    @property
    def met(self) -> bool | None:
        """None where nothing is asked."""
        if self.limit is None:
            return None
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    @property
    def verdict(self) -> str:
        """`≤ 250 bytes: met` or `missed`; empty where nothing is asked."""
        if self.limit is None:
            return ""
        asked = f"{'≥' if self.at_least else '≤'} {self.limit:,g} {self.unit}".rstrip()
        return f"{asked}: {'met' if self.met else 'missed'}"

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"what": self.what, "value": self.value, "unit": self.unit}
        if self.limit is not None:
            found |= {"limit": self.limit, "at_least": self.at_least, "met": self.met}
        if self.axis:
            found |= {"axis": self.axis, "at": self.at}
        return found | ({"details": dict(self.details)} if self.details else {})


@dataclass(frozen=True)
class Experiment:
    """Something to measure by name; `experiments.EXPERIMENTS` is the list."""

    name: str
    summary: str
    run: Callable[[bool], Iterable[Figure]]
    """Measure; True: a tiny run that only shows that it works. Figures are shown and kept as they come. Where answers
    are compared and differ it raises `measure.Disagreement`."""
    seconds: float
    """About how long it takes on an idle machine, for the estimate."""
    needs: tuple[str, ...] = ()
    """Modules of an optional installation without which it is left out."""

    @property
    def missing(self) -> list[str]:
        """The modules that are needed and not installed."""
        return [module for module in self.needs if find_spec(module) is None]
