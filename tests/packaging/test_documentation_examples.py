"""Every example of the documentation does what it says: rules are accepted, commands print what is shown, Python runs.

    python tests/packaging/test_documentation_examples.py

puts what the commands print now into the pages. A line `…` stands for lines that are left out; then the lines that are
shown must come in this order. Blocks of kind `sh` start something that does not end, and `text` is read by people only.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import larspark
from larspark.cli.main import main
from larspark.diagnostics import Severity

ROOT = Path(__file__).parents[2]
ON_SPARK = re.compile(r"\b(reason|register)\(")
BY_THEMSELVES = {"docs/explanations.md", "docs/first-steps.md", "docs/python.md"}
"""Pages with a test of their own, which run in another place."""
PAGES = [
    page
    for page in (*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md")
    if str(page.relative_to(ROOT)) not in BY_THEMSELVES
]
KINDS = {"lars", "console", "python", "sh", "text", "json", "yaml", "sql", "sparql"}
BLOCK = re.compile(r"^```(\{?\w*\}?)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
DIRECTIVES = {"{toctree}", "{image}"}


@dataclass(frozen=True)
class Example:
    page: Path
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.stem}:{self.line}"


def examples(*kinds: str) -> list[Example]:
    return [one for page in PAGES for one in _of(page) if not kinds or one.kind in kinds]


def _of(page: Path) -> Iterator[Example]:
    text = page.read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        yield Example(page, text.count("\n", 0, match.start()) + 1, match[1], match[2])


def printed(command: str) -> str:
    """What a command prints, called in the main folder."""
    words, before = shlex.split(command.replace("\\\n", "")), Path.cwd()
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    assert words[0] == "larspark"
    os.chdir(ROOT)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            assert main(words[1:]) == 0
    finally:
        os.chdir(before)
    out.seek(0)
    return out.read()


def parted(text: str) -> tuple[str, str]:
    """The command of a block, which may go on after a backslash, and what is shown of its output."""
    found = re.fullmatch(r"\$ ((?:[^\n]*\\\n)*[^\n]*)\n(.*)", text, re.DOTALL)
    assert found is not None, text
    return found[1], found[2]


def test_every_block_says_what_it_is() -> None:
    assert [str(one) for one in examples() if one.kind not in KINDS | DIRECTIVES] == []


@pytest.mark.parametrize("example", examples("lars"), ids=str)
def test_rules_are_accepted(example: Example) -> None:
    found = larspark.check(example.text)
    assert [one for one in found.diagnostics if one.severity is Severity.ERROR] == []


@pytest.mark.parametrize("example", examples("console"), ids=str)
def test_commands_print_what_is_shown(example: Example) -> None:
    command, shown = parted(example.text)
    lines = iter(printed(command).splitlines())
    if "…" not in shown.splitlines():
        assert [*lines] == shown.splitlines()
    else:
        missing = [line for line in shown.splitlines() if line != "…" and line not in lines]
        assert missing == []


@pytest.mark.parametrize("example", [one for one in examples("python") if not ON_SPARK.search(one.text)], ids=str)
def test_python_runs(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    frame = {"time": [0, 1, 2], "machine": ["press", "press", "press"]}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(example.text, str(example.page), "exec"), {"frame": frame})


def rewritten(page: Path) -> str:
    """The page with what its commands print now; what is left out stays left out."""

    def current(match: re.Match[str]) -> str:
        if match[1] != "console" or "\n…\n" in match[2]:
            return match[0]
        command, _ = parted(match[2])
        return f"```console\n$ {command}\n{printed(command)}```"

    return BLOCK.sub(current, page.read_text(encoding="utf-8"))


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(rewritten(page), encoding="utf-8")
