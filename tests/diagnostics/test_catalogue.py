from __future__ import annotations

import re
from pathlib import Path

import larspark
from larspark.diagnostics.catalogue import CATALOGUE

SOURCES = Path(larspark.__file__).parent


def test_every_code_in_the_source_is_explained_and_every_explanation_is_used() -> None:
    files = (path for path in SOURCES.rglob("*.py") if path.name != "catalogue.py")
    used = {code for path in files for code in re.findall(r'"([EW][1-9][0-9]{2})"', path.read_text("utf-8"))}
    assert used == set(CATALOGUE)


def test_no_code_has_two_meanings() -> None:
    listed = re.findall(
        r'Entry\(\s*"([EW][1-9][0-9]{2})"', (SOURCES / "diagnostics" / "catalogue.py").read_text("utf-8")
    )
    assert sorted(listed) == sorted(CATALOGUE)
