"""`docs/exactness.md` names every published statement, and modules and tests that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "exactness.md").read_text("utf-8")
SOURCES = re.findall(r"<!-- statements: ([^;]*); (.*?) -->\n(.*?)<!-- statements: end -->", PAGE, re.DOTALL)
ROWS = [line.strip("| ").split(" | ") for _, _, text in SOURCES for line in text.splitlines() if line.startswith("| ")]
TABLE = [row for row in ROWS if row[0] != "statement"]

NUMBER = r"\d+(?:\.\d+)?"
LABELS = re.compile(rf"(Def|Thm|Prop|Lemma|Cor|Alg)\b\.? ((?:{NUMBER}(?:-{NUMBER})?(?:, | )?)+)")


def statements(text: str) -> Iterator[tuple[str, str]]:
    """`Def. 1-3, 5, Alg. 6.1-6.3`: every kind with every number."""
    for kind, numbers in LABELS.findall(text):
        for first, last in re.findall(rf"({NUMBER})(?:-({NUMBER}))?", numbers):
            chapter, _, start = first.rpartition(".")
            end = (last or first).rpartition(".")[2]
            for number in range(int(start), int(end) + 1):
                yield kind, f"{chapter}.{number}" if chapter else str(number)


def backticked(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_ranges_are_read() -> None:
    assert list(statements("Def. 1-3, 5, Lemma 2, Alg. 6.9-6.11")) == [
        ("Def", "1"), ("Def", "2"), ("Def", "3"), ("Def", "5"), ("Lemma", "2"),
        ("Alg", "6.9"), ("Alg", "6.10"), ("Alg", "6.11"),
    ]  # fmt: skip


@pytest.mark.parametrize(("source", "all_of_it", "text"), SOURCES, ids=[source for source, *_ in SOURCES])
def test_every_statement_is_listed(source: str, all_of_it: str, text: str) -> None:
    rows = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| ")]
    others = [line for line in text.splitlines() if not line.startswith("|")]
    listed = {found for line in (*rows, *others) for found in statements(line)}
    assert set(statements(all_of_it)) == listed, source


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_modules_and_tests_exist(row: list[str]) -> None:
    _, _, where, tested = row
    assert backticked(where)
    for module in backticked(where):
        place = ROOT if module.startswith("tests/") else ROOT / "src" / "larspark"
        assert (place / module).exists(), module
    assert_tests_exist(tested)


def assert_tests_exist(cell: str) -> None:
    assert backticked(cell)
    for test in backticked(cell):
        path, _, name = test.partition("::")
        text = (ROOT / "tests" / path).read_text("utf-8")
        assert f"def {name}(" in text if name else "def test_" in text, test


def test_every_finding_has_a_test() -> None:
    (table,) = re.findall(r"<!-- findings -->\n(.*?)<!-- findings: end -->", PAGE, re.DOTALL)
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if re.match(r"\| \d", line)]
    assert [number for row in rows for number in row[0].split(", ")] == [str(number) for number in range(1, 19)]
    for _, _, tested in rows:
        assert_tests_exist(tested)
