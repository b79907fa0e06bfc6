"""The examples of `docs/python.md` and of the public docstrings do what they say."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from larspark.python import foresight, session

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page() -> None:
    outcome = doctest.testfile(str(DOCS / "python.md"), module_relative=False, encoding="utf-8")
    assert outcome.attempted > 40
    assert outcome.failed == 0


@pytest.mark.parametrize("module", [session, foresight])
def test_docstrings(module: object) -> None:
    outcome = doctest.testmod(module)  # type: ignore[arg-type]
    assert outcome.attempted > 0
    assert outcome.failed == 0
