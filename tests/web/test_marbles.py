from __future__ import annotations

from pathlib import Path

import pytest

from larspark.web.marbles import MARBLES, draw

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
LANGUAGE = Path(__file__).parents[2] / "docs" / "language.md"


@pytest.mark.parametrize("marble", MARBLES, ids=lambda marble: marble.name)
def test_the_picture_in_the_documentation_is_what_the_program_concludes(marble):
    """`python -m larspark.web.marbles docs/pictures` writes them anew."""
    assert (PICTURES / f"{marble.name}.svg").read_text() == draw(marble)
    assert f"pictures/{marble.name}.svg" in LANGUAGE.read_text()


def test_a_window_is_drawn_as_long_as_it_sees():
    marble = next(one for one in MARBLES if one.name == "window-time")
    assert draw(marble).count('class="holds"') == 2
