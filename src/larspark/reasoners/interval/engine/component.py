"""A component: relations that depend on each other, with the plans and operators that derive them."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from functools import cached_property

from larspark.reasoners.interval.network import Boxed, CoreRule, Pointed, Relation, Stretched, Unrolled
from larspark.reasoners.interval.planning.plan import Plan

LocalOperator = Unrolled | Boxed | Stretched | Pointed
"""Derives a relation where a core rule cannot, and may stand in a recursion; see `intervals.local`."""

Waking = Unrolled | Pointed
"""Those that conclude something as time goes on, though nothing changes."""


@dataclass(eq=False)
class RuleComponent:
    """The rules and local operators whose conclusions depend on each other; `intervals.step` evaluates them."""

    rules: tuple[CoreRule, ...]
    local: tuple[LocalOperator, ...]
    triggered: dict[Relation, list[Plan]] = field(default_factory=dict)
    """Positive occurrences of a relation in the bodies."""
    blocked: dict[Relation, list[Plan]] = field(default_factory=dict)
    """Negated occurrences."""
    rederiving: dict[Relation, list[Plan]] = field(default_factory=dict)

    @cached_property
    def read(self) -> Set[Relation]:
        """The relations whose changes concern this component; other plans for the same rules read the same."""
        return self.triggered.keys() | self.blocked.keys() | {node.source for node in self.local}

    @property
    def waking(self) -> tuple[Waking, ...]:
        return tuple(node for node in self.local if isinstance(node, Waking))
