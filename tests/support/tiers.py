"""Long random tests: the ordinary run tries a part of their examples, the thorough run all of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

TestT = TypeVar("TestT", bound=Callable[..., Any])

TIER = "LARSPARK_TIER"
"""The variable with which `tests/all.py` says which tier it runs."""

PART = 4


def part(count: int) -> int:
    """Of so many examples, how many are tried in this run. Tests that ask are marked `partly`, to be run once more."""
    return count if os.environ.get(TIER) == "thorough" else -(-count // PART)


def partly(count: int, base: settings | None = None, **more: Any) -> Callable[[TestT], TestT]:
    """A random test with so many examples, most of them in the thorough run."""
    chosen = settings(base, max_examples=part(count), **more)

    def marked(test: TestT) -> TestT:
        return pytest.mark.partly(chosen(test))

    return marked
