"""One browser for all tests of a module, and a place for the pictures that they take."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from support.browsers import running_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as found:
        yield found


@pytest.fixture
def picture(tmp_path: Path) -> Callable[[Page, str], Path]:
    """Takes a picture of the screen; with LARSPARK_PICTURES set they are kept there (`docs/pictures` in the README)."""
    folder = Path(os.environ.get("LARSPARK_PICTURES", tmp_path))

    def take(page: Page, name: str) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        page.wait_for_timeout(150)  # one more frame, so that what was asked for is drawn
        file = folder / f"{name}.png"
        page.screenshot(path=file)
        return file

    return take
