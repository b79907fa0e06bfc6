"""What is measured: a workload with parameters, its program analysed and its stream generated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from larspark.analysis.pipeline import Analysis
from larspark.analysis.rewrites.optimise import ORDINARY
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.runtime.prepared import Prepared, prepare

if TYPE_CHECKING:  # the suite runs without polars, which is a peer only
    import polars

Args: TypeAlias = tuple[int, ...]
"""The workloads speak of integers, but for `aggregate-decimals`."""

Atoms: TypeAlias = frozenset[tuple[int, Fact]]
"""An answer: the derived atoms with the time points at which they hold."""


class ArrivalStep(NamedTuple):
    """What arrives at one time point; all steps of a stream are evaluated, also those without arrivals."""

    time: int
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Parameters:
    """The knobs of a workload; a workload ignores those it has no use for."""

    rate: int = 200
    """Atoms per evaluated time point."""
    window: int = 20
    points: int = 200
    """Evaluated time points."""
    seed: int = 1
    size: int = 0
    """How large the program or its background is: rules, guards, edges, values, nodes."""
    probability: float = 0.5
    gap: int = 1
    """The distance between two evaluated time points; between them nothing arrives."""

    def at(self, axis: str, value: float) -> Parameters:
        """The same with another size on one axis."""
        changed: dict[str, Any] = {axis: value}
        return replace(self, **changed)

    def as_json(self) -> dict[str, int | float]:
        return asdict(self)


class ByHand(Protocol):
    """What a programmer would write for one workload: dictionaries brought up to date at every time point."""

    def step(self, time: int, arrived: Mapping[str, list[Args]]) -> None: ...

    def answer(self) -> Iterable[tuple[int, Fact]]: ...


Frames: TypeAlias = "Mapping[str, polars.DataFrame]"
"""Per predicate a table with the columns `time` and `c0`, `c1`, …"""


GROWTH: Mapping[str, tuple[float, ...]] = {"window": (1, 5, 20, 80), "rate": (50, 200, 800)}
"""The usual growth curves: cost against window size and against rate."""


def _no_background(_: Parameters) -> list[Fact]:
    return []


@dataclass(frozen=True)
class Workload:
    """A program and a stream, both depending on parameters, and who can compute it."""

    name: str
    summary: str
    program: Callable[[Parameters], str]
    stream: Callable[[Parameters], Iterator[ArrivalStep]]
    defaults: Parameters
    background: Callable[[Parameters], list[Fact]] = _no_background
    by_hand: Callable[[Parameters], ByHand] | None = None
    recompute: str | None = None
    """The function of `peers.recompute` that computes it."""
    reasoners: tuple[str, ...] = ("interval",)
    """The reasoners that are measured on it."""
    axes: Mapping[str, tuple[float, ...]] = field(default_factory=lambda: GROWTH)
    """Parameters that grow, each alone, with their sizes."""
    seconds: float = 6
    """About how long one measurement takes, for the estimate."""
    one_shot: bool = True
    """False: the literal answer set program would be too large, or clingo itself does not know the values."""
    several_models: bool = False


@dataclass(frozen=True)
class Task:
    """A workload made concrete."""

    workload: Workload
    parameters: Parameters
    optimised: bool = False
    """The program is rewritten by the optimiser before it is evaluated."""
    start: int = field(default=0, init=False)

    @cached_property
    def background(self) -> list[Fact]:
        return self.workload.background(self.parameters)

    @cached_property
    def prepared(self) -> Prepared:
        program = parse_program(self.workload.program(self.parameters), f"<{self.workload.name}>")
        written = prepare(program, background=self.background).require()
        return written.optimised(ORDINARY) if self.optimised else written

    @property
    def analysis(self) -> Analysis:
        return self.prepared.analysis

    @cached_property
    def steps(self) -> list[ArrivalStep]:
        return list(self.workload.stream(self.parameters))

    @cached_property
    def atoms(self) -> int:
        return sum(len(step.facts) for step in self.steps)

    def sample(self, count: int) -> list[int]:
        """Places of up to `count` steps, evenly spread, the last one among them."""
        total = len(self.steps)
        count = min(count, total)
        return [(number + 1) * total // count - 1 for number in range(count)]
