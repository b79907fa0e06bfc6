"""The interval reasoner in chunks, over histories, restored, with late arrivals and other rules, beside the judge."""

from __future__ import annotations

import pytest

from support.ordinary import agree


@pytest.mark.random
@pytest.mark.parametrize("way", ["chunks", "replayed", "restored", "late", "corrected", "changed"])
def test_the_same_answers(way: str) -> None:
    agree(way)
