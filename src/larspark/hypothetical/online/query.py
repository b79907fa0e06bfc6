"""A goal that is watched, and how."""

from __future__ import annotations

from dataclasses import dataclass

from larspark.hypothetical.offline.preconditions import Precondition
from larspark.hypothetical.online.matcher import Matcher
from larspark.hypothetical.theory.terms import Literal
from larspark.language.values import Value


@dataclass(frozen=True)
class Query:
    """A goal with its preconditions and their progress."""

    goal: Literal
    preconditions: tuple[Precondition, ...]
    matchers: tuple[Matcher, ...]


@dataclass(frozen=True)
class WatchOptions:
    """How a goal is watched."""

    bound: int | None = None
    """How often a predicate may call itself, for goals with infinitely many preconditions."""
    keep: int | None = None
    """For how many time points definite answers are remembered; None: for ever."""
    delay: int = 0
    """How late facts may arrive."""
    constants: tuple[Value, ...] | None = None
    """The object domain, when it is finite and known."""
