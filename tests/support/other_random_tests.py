"""The random tests of an ordinary run besides the programs of `support.ordinary`, for what those do not notice."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import Phase, settings

TESTS = Path(__file__).parent.parent
SELECTED = "(hypothesis or random) and not thorough and not session"
FOLDERS = {
    "interval": ("reasoners/interval", "reasoners", "spark"),
    "clingo": ("reasoners/clingo", "reasoners"),
    "jtms": ("reasoners/jtms", "reasoners"),
    "answer-update": ("reasoners/answer_update", "reasoners"),
}
"""By reasoner, where its random tests stand; of the folder of all only what stands there itself."""


class _First:
    """Listens for the first test that fails."""

    failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


def tests_of(reasoners: Iterable[str]) -> list[str]:
    """The files with random tests of these reasoners."""
    folders = dict.fromkeys(folder for name in reasoners for folder in FOLDERS[name])
    found = [file for folder in folders for file in sorted((TESTS / folder).glob("test_*.py"))]
    return [str(file) for file in found if "support.ordinary" not in file.read_text()]


def failing(tests: Sequence[str], left_out: Sequence[str] = ()) -> str:
    """The first of these tests that fails in this process, or nothing.

    To be called in a process of its own: its settings, its output and what is imported stay changed.
    """
    os.environ["CI"] = "1"  # the same examples every time
    settings.register_profile("not shrunk", phases=(Phase.explicit, Phase.generate), deadline=None)
    settings.load_profile("not shrunk")  # the profiles of conftest.py go on from it
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    first = _First()
    deselected = [part for one in left_out for part in ("--deselect", one)]
    options = ["-x", "-q", "--assert=plain", "-m", SELECTED, "-p", "no:cacheprovider", f"--rootdir={TESTS.parent}"]
    pytest.main([*options, *deselected, *tests], plugins=[first])
    return first.failed
