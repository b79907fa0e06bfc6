"""Long random tests: the ordinary run tries some of their examples, the thorough run more, the exhaustive one all."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

TestT = TypeVar("TestT", bound=Callable[..., Any])

TIER = "LARSPARK_TIER"
"""The variable with which `tests/all.py` says which tier it runs."""

SHARES = {"thorough": 2, "all": 2}
"""In these tiers half of the examples are tried, otherwise a quarter."""


def part(count: int) -> int:
    """Of so many examples, how many are tried in this run. Tests that ask are marked `partly`, to be run once more."""
    if os.environ.get("LARSPARK_EXHAUSTIVE"):
        return count
    return -(-count // SHARES.get(os.environ.get(TIER, ""), 4))


def partly(count: int, base: settings | None = None, **more: Any) -> Callable[[TestT], TestT]:
    """A random test with so many examples, most of them in the thorough run."""
    chosen = settings(base, max_examples=part(count), **more)

    def marked(test: TestT) -> TestT:
        return pytest.mark.partly(chosen(test))

    return marked
