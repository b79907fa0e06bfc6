"""Terms, and the sizes of windows: the smallest nodes of the tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, TypeAlias

from larspark.diagnostics.origin import Origin
from larspark.language.values import Value


@dataclass(frozen=True)
class Node:
    """Common to all nodes: the place in the text."""

    origin: Origin | None = field(default=None, compare=False, repr=False, kw_only=True)

    def __getstate__(self) -> dict[str, object]:
        """The node without what is kept with it (`traversal.kept_with_node`)."""
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}


@dataclass(frozen=True)
class Constant(Node):
    value: Value


@dataclass(frozen=True)
class Variable(Node):
    """A variable. `_` is parsed to a fresh name starting with `_`."""

    name: str

    @property
    def anonymous(self) -> bool:
        return self.name.startswith("_")


@dataclass(frozen=True)
class Now(Node):
    """`now`, the evaluation time."""


@dataclass(frozen=True)
class Duration(Node):
    """`3 min`: a time span that the clock turns into time points."""

    amount: int
    unit: str
    """Canonical: ms, s, min, h or d."""

    MILLISECONDS: ClassVar[dict[str, int]] = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}

    @property
    def milliseconds(self) -> int:
        return self.amount * self.MILLISECONDS[self.unit]


RANGE = ".."
"""The operator of `1..5`; `resolve` writes out what it stands for."""


@dataclass(frozen=True)
class Operation(Node):
    """`left + right`, with + - * / % ^, and `left..right` until `resolve` has run."""

    operator: str
    left: Term
    right: Term


@dataclass(frozen=True)
class Call(Node):
    """`min(X,Y)`, `max`, `abs`, `hour(T)`, or a `#function`. Unary minus is `Operation("-", 0, x)`."""

    function: str
    args: tuple[Term, ...]


Term: TypeAlias = Constant | Variable | Now | Duration | Operation | Call

# -- sizes -----------------------------------------------------------------------------------------


class Unbounded(Enum):
    """The extent of a window without end."""

    UNBOUNDED = "all"


UNBOUNDED = Unbounded.UNBOUNDED

Extent: TypeAlias = int | Duration | Constant | Unbounded
"""A size: time points or atoms; a duration or the name of a `#const` until `resolve` has run."""


def points(extent: Extent) -> int | None:
    """The size of a resolved extent, None when it is unbounded."""
    if extent is UNBOUNDED:
        return None
    if isinstance(extent, int):
        return extent
    raise TypeError(f"extent {extent!r} is not resolved against clock and constants yet")
