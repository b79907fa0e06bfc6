"""The clingo reasoner goes on from snapshots, beside the judge."""

from __future__ import annotations

import pytest

from support.ordinary import agree


@pytest.mark.random
def test_the_same_answers() -> None:
    agree("resumed")
