"""The documentation: the site builds without a warning, links lead somewhere, and the tutorial does what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
TUTORIAL = (DOCS / "first-steps.md").read_text()


@pytest.mark.thorough
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(DOCS), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "index.html").exists()


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), target


def test_every_page_is_in_the_table_of_contents() -> None:
    listed = {line for line in (DOCS / "index.md").read_text().splitlines() if re.fullmatch(r"[a-z/-]+", line)}
    assert {str(page.relative_to(DOCS).with_suffix("")) for page in PAGES} - {"index"} == listed


def test_the_tutorial_does_what_it_says(tmp_path: Path) -> None:
    for name, content in re.findall(r"<!-- file: (\S+) -->\n```\n(.*?)```", TUTORIAL, re.DOTALL):
        (tmp_path / name).write_text(content)
    shims = tmp_path / "bin"
    shims.mkdir()
    (shims / "larspark").write_text(f'#!/bin/sh\nexec {sys.executable} -m larspark "$@"\n')
    (shims / "larspark").chmod(0o755)
    environment = _environment() | {"PATH": f"{shims}{os.pathsep}{os.environ['PATH']}"}
    blocks = re.findall(r"```console\n\$ (.*?)\n(.*?)```", TUTORIAL, re.DOTALL)
    assert len(blocks) >= 4
    for command, printed in blocks:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == printed, command
    done = subprocess.run(
        [sys.executable, "-m", "larspark", "check", "marks.lars"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_python_of_the_tutorial_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for code in re.findall(r"```python\n(.*?)```", TUTORIAL, re.DOTALL):
        exec(compile(code, "first-steps.md", "exec"), {})
    assert capsys.readouterr().out == "['seen(press)']\n"


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
