"""pytest collects case files: every case is a test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from larspark.cases.case_file import read_case_file
from larspark.cases.run import Outcome, run_cases
from larspark.diagnostics import Rejected


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix != ".case":
        return None
    found: pytest.Collector = CasesOfFile.from_parent(parent, path=file_path)
    return found


class CasesOfFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        try:
            for outcome in run_cases(read_case_file(self.path)):
                yield CollectedCase.from_parent(self, name=outcome.case, outcome=outcome)
        except Rejected as rejected:
            raise self.CollectError(str(rejected)) from rejected


class CollectedCase(pytest.Item):
    def __init__(self, *, outcome: Outcome, **others: Any) -> None:
        super().__init__(**others)
        self.outcome = outcome

    def runtest(self) -> None:
        if not self.outcome.ok:
            pytest.fail("\n".join(self.outcome.failures), pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name
