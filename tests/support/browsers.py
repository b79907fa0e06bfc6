"""A real browser for tests: Chromium from the machine or from Debian's packages, driven by Playwright."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

FLAGS = (
    "--headless",
    "--no-sandbox",  # tests run as root in containers
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LOCK = Path(tempfile.gettempdir()) / "larspark-tests-chromium.lock"
PATIENCE = 60_000
"""Milliseconds."""


def find_chromium() -> str:
    """The program; installed when this is a Debian and we may; otherwise the test is skipped and says why."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None and shutil.which("apt-get") and os.geteuid() == 0:
        with LOCK.open("w") as lock:  # the workers of a test run ask at the same time
            fcntl.flock(lock, fcntl.LOCK_EX)
            found = shutil.which("chromium") or _installed()
    if found is None:
        pytest.skip("there is no Chromium here, and it cannot be installed from Debian's packages")
    return found


def _installed() -> str | None:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core"]):
        subprocess.run(["apt-get", "-qq", *words], env=quiet, capture_output=True, check=False, timeout=300)
    return shutil.which("chromium")


@contextmanager
def running_browser() -> Iterator[Browser]:
    program = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


def until(page: Page, expression: str) -> None:
    """Waits until JavaScript is true; Playwright's own way needs `eval`, which the page's policy forbids."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, f"never true: {expression}"
        page.wait_for_timeout(20)


def _is_complaint(said: ConsoleMessage) -> bool:
    """An answer that says no is none: the browser notes every status from 400 on."""
    return said.type == "error" and not said.text.startswith("Failed to load resource")


@contextmanager
def opened(browser: Browser, address: str, *, offline: bool = False, dark: bool = False) -> Iterator[Page]:
    """A page in a context of its own; what it complains about fails the test."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 720}, color_scheme="dark" if dark else "light", offline=offline
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if _is_complaint(said) else None)
    page.goto(address)
    until(page, "document.body.larspark !== undefined")
    yield page
    context.close()
    assert not complaints
