"""The table of windows on the language page: every row names the files in which its windows are."""

from __future__ import annotations

import re
from pathlib import Path

from larspark.language import windows

PAGE = Path(__file__).parents[2] / "docs" / "language.md"
FILES = {path.name for path in Path(windows.__file__).parent.glob("*.py")}
SHARED = {"__init__.py", "window.py", "selection.py", "sizes.py", "text.py", "keyed.py"}
"""What all windows have in common."""


def test_every_row_names_its_file_and_every_file_has_a_row() -> None:
    table = PAGE.read_text("utf-8").split("| form | LARS window function | file |\n", 1)[1].split("\n\n", 1)[0]
    rows = table.splitlines()[1:]
    named = [re.findall(r"`(\w+\.py)`", row.rsplit("|", 2)[1]) for row in rows]
    assert len(rows) > 10
    assert all(named)
    assert {name for row in named for name in row} == FILES - SHARED
