"""The stages of a program in several partitions, beside the judge, on random programs; without Spark."""

from __future__ import annotations

import pytest

from support.ordinary import agree


@pytest.mark.random
def test_the_same_rows() -> None:
    agree("partitions")
