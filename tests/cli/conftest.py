"""The command line, called in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from larspark.cli.main import main


class Outcome(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def errors(self) -> list[Any]:
        return [json.loads(line) for line in self.err.splitlines()]


@pytest.fixture
def larspark(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def call(*words: object) -> Outcome:
        try:
            status = main([str(word) for word in words])
        except SystemExit as exit_:  # argparse leaves this way
            status = int(exit_.code or 0)
        return Outcome(status, *capsys.readouterr())

    return call


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return write
