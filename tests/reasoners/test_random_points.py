"""All reasoners beside the judge on random programs, at every time point."""

from __future__ import annotations

import pytest

from support.ordinary import agree


@pytest.mark.random
@pytest.mark.partly
def test_answers_and_changes() -> None:
    agree("points")
