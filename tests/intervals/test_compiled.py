"""Where compiled code is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from larspark.cache import CACHE_VARIABLE, cache_folder


def test_the_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "chosen"))
    assert cache_folder("kernels").parent == tmp_path / "chosen"


def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    found = cache_folder("kernels")
    assert found.is_dir()
    assert tmp_path not in found.parents
