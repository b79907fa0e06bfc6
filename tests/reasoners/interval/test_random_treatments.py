"""The interval reasoner in chunks, after snapshots and with late arrivals, beside the judge, on random programs."""

from __future__ import annotations

import pytest

from support.ordinary import agree


@pytest.mark.random
@pytest.mark.parametrize("way", ["chunks", "restored", "late"])
def test_the_same_answers(way: str) -> None:
    agree(way)
