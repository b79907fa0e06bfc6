"""The interval reasoner in chunks and after snapshots, beside the judge, on random programs."""

from __future__ import annotations

import pytest

from support.ordinary import agree


@pytest.mark.parametrize("way", ["chunks", "restored"])
def test_the_same_answers(way: str) -> None:
    agree(way)
