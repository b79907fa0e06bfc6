"""A window applied where the evaluation time has been lost selects all it is given, so it bounds nothing."""

from __future__ import annotations

import pytest

from larspark.language.facts import Signature
from support.analysed import analysed


@pytest.mark.parametrize("window", ["[from now - 2 to now - 1]", "[hop 1 over 2]", "[hop 2 over 2]"])
def test_a_window_after_one_that_has_lost_now_does_not_shorten_the_retention(window: str) -> None:
    past = analysed(f"q :- b {window} [1].").retention[Signature("b", 0)].past
    assert past is not None
    assert past >= 2
