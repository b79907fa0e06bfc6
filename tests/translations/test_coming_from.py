"""What the page for users of other systems writes in LARS is LARS."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from larspark.diagnostics import Rejected
from larspark.language.parser import parse_program

PAGE = (Path(__file__).parents[2] / "docs" / "coming-from.md").read_text(encoding="utf-8")
ROWS = [line.split(" | ", 1)[1] for line in PAGE.splitlines() if line.startswith("| ") and " | " in line]
SNIPPETS = [
    code for row in ROWS for code in re.findall(r"`([^`]+)`", row) if not code.startswith(("--", "larspark", "Engine"))
]


@pytest.mark.parametrize("code", SNIPPETS)
def test_snippets_are_rules_directives_literals_or_windows(code: str) -> None:
    for text in (code, f"head :- {code}.", f"head :- p(Id, M) {code}."):
        try:
            parse_program(text)
        except Rejected:
            continue
        return
    pytest.fail(f"{code} is no LARS")


def test_there_are_some() -> None:
    assert len(SNIPPETS) > 20
