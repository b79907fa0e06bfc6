from __future__ import annotations

from pathlib import Path

import pytest

from larspark.diagnostics import Rejected
from larspark.language import parse_file, parse_program


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name}.lars"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder / "main.lars"


def rejection(path: Path) -> list[tuple[str, str, str]]:
    with pytest.raises(Rejected) as caught:
        parse_file(path)
    return [(d.code, str(d.origin).replace(f"{path.parent}/", ""), d.message) for d in caught.value.diagnostics]


def test_an_include_is_spliced_in_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "deeper.lars").write_text("c. #const k = 1.", "utf-8")
    (tmp_path / "lib" / "more.lars").write_text('b. #include "deeper.lars".', "utf-8")
    main = write(tmp_path, main='a. #include "lib/more.lars". d.')
    assert parse_file(main) == parse_program("a. b. c. d. #const k = 1.")


def test_a_file_named_twice_is_spliced_in_once(tmp_path: Path) -> None:
    main = write(tmp_path, main='#include "x.lars". #include "y.lars".', x='#include "y.lars". x.', y="y.")
    assert parse_file(main) == parse_program("y. x.")


def test_a_circle_is_reported_with_its_path(tmp_path: Path) -> None:
    main = write(tmp_path, main='a.\n#include "x.lars".', x='#include "y.lars".', y='y.\n #include "main.lars".')
    assert rejection(main) == [
        ("E113", "y.lars:2:2", "The file includes itself: main.lars -> x.lars -> y.lars -> main.lars.")
    ]


def test_errors_of_all_files_come_together(tmp_path: Path) -> None:
    main = write(tmp_path, main='#include "x.lars".\n#include "gone.lars".\na :- b [].', x="x :- p().")
    assert [(code, place) for code, place, _ in rejection(main)] == [
        ("E115", "main.lars:3:8"),
        ("E122", "x.lars:1:7"),
        ("E112", "main.lars:2:1"),
    ]


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    assert [(code, place) for code, place, _ in rejection(tmp_path / "main.lars")] == [("E112", "main.lars:1:1")]
