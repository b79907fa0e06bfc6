"""What holds for all tests: how random tests draw, in which order tests run, and when a tier gives one up.

Random tests draw new examples on every run; with CI set they repeat the same ones, so that red means a change.
None is timed: the first example may wait for compiled code.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from itertools import groupby

import pytest
from hypothesis import settings

from support.tiers import TIER

settings.register_profile("untimed", deadline=None)
settings.register_profile("repeatable", derandomize=True, print_blob=True, deadline=None)
settings.load_profile("repeatable" if os.environ.get("CI") else "untimed")

PATIENCE = 900
"""Seconds for a test with hundreds of random programs, or that starts several processes one after the other."""


MOST = 10
"""So many tests of a file are run in the quick tier, from its first to its last."""


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, object, object]:
    """Begin with the files that mostly wait for other processes, so that none of them is left for the end."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker("session")
        if item.get_closest_marker("thorough") or item.get_closest_marker("random"):
            item.add_marker(pytest.mark.timeout(PATIENCE))
    waiting = {item.path for item in items if item.get_closest_marker("thorough")}
    items.sort(key=lambda item: (item.path not in waiting, "spark" not in item.path.parts))
    found = yield  # markers choose here
    if os.environ.get(TIER) == "quick":
        kept = {item for _, tests in groupby(items, lambda item: item.path) for item in _some(list(tests))}
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]
    return found


def _some(tests: list[pytest.Item]) -> list[pytest.Item]:
    if len(tests) <= MOST:
        return tests
    return [tests[number * (len(tests) - 1) // (MOST - 1)] for number in range(MOST)]
