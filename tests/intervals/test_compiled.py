"""Where compiled code is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from larspark.intervals import compiled


def test_the_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compiled.CACHE_VARIABLE, str(tmp_path / "chosen"))
    assert compiled._cache_folder().parent == tmp_path / "chosen"


def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv(compiled.CACHE_VARIABLE, str(tmp_path / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    found = compiled._cache_folder()
    assert found.is_dir()
    assert tmp_path not in found.parents
