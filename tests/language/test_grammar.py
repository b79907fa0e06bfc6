"""The tables of the parser are kept; a damaged or missing file is no reason to fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from larspark.cache import CACHE_VARIABLE
from larspark.language.grammar import grammar


def read() -> object:
    return grammar.__wrapped__().parse("a(X) :- b(X) [5 s], not c.", start="statement")


def test_kept_tables_read_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    built = read()
    (kept,) = (tmp_path / "grammar").iterdir()
    content = kept.read_bytes()
    assert read() == built
    kept.write_bytes(content[:1000])
    assert read() == built
    assert len(kept.read_bytes()) > 1000


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("larspark.language.grammar.cache_folder", lambda _: tmp_path / "missing")
    assert read() is not None
