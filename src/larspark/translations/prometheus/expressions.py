"""The tree of a PromQL expression."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias

from larspark.diagnostics.origin import Origin


@dataclass(frozen=True)
class Part:
    """Common to all parts: the place in the file."""

    origin: Origin | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Number(Part):
    value: Decimal


@dataclass(frozen=True)
class LabelMatcher(Part):
    """`job=~"a|b"`."""

    label: str
    operator: str
    value: str


@dataclass(frozen=True)
class VectorSelector(Part):
    """`up{job="a"}`, with a range `up{job="a"}[5m]`."""

    metric: str
    matchers: tuple[LabelMatcher, ...] = ()
    milliseconds: int | None = None
    """The length of the range."""


@dataclass(frozen=True)
class LabelGrouping:
    """`by (labels)` or `without (labels)`."""

    without: bool
    labels: tuple[str, ...]


@dataclass(frozen=True)
class VectorAggregation(Part):
    """`sum by (job) (…)`."""

    function: str
    grouping: LabelGrouping
    body: Expression


@dataclass(frozen=True)
class FunctionCall(Part):
    """`rate(x[5m])`."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Matching:
    """`on (labels)` or `ignoring (labels)`, with `group_left (included)` or `group_right (included)`."""

    on: bool = False
    labels: tuple[str, ...] = ()
    many: str = ""
    """The side that may have several elements for one of the other: left, right, or none."""
    included: tuple[str, ...] = ()


@dataclass(frozen=True)
class Binary(Part):
    """`left + right`, `left > bool right`, `left and right`."""

    operator: str
    left: Expression
    right: Expression
    matching: Matching = Matching()
    as_number: bool = False
    """`bool`: 1 or 0 instead of a filter."""


Expression: TypeAlias = Number | VectorSelector | VectorAggregation | FunctionCall | Binary
