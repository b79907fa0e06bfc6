"""Parts that are not installed say how to install them; nothing else needs them."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from larspark.extras import EXTRAS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {modules!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in {modules!r} else found(name, package)
from larspark.cli.main import main
sys.exit(main({words!r}))
"""


def _without_parts(*words: str) -> subprocess.CompletedProcess[str]:
    """The command line in an environment that has the engine and nothing else."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    script = WITHOUT.format(modules=set(EXTRAS), words=list(words))
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize("extra", sorted({*EXTRAS.values()}))
def test_every_part_is_an_extra_of_the_package(extra: str) -> None:
    assert extra in PROJECT["optional-dependencies"]


def test_the_engine_and_the_commands_do_without_parts() -> None:
    program = ROOT / "examples" / "machines.lars"
    done = _without_parts("eval", str(program), "--stream", str(program.with_suffix(".jsonl")))
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (["demo"], "spark"),
        (["run", str(ROOT / "examples/pipeline/turbines.lars")], "spark"),
        (["translate", "cql", str(ROOT / "examples" / "no.cql")], "sql"),
    ],
)
def test_a_missing_part_says_which_extra_brings_it(words: list[str], extra: str, tmp_path: Path) -> None:
    (tmp_path / "query.cql").write_text("SELECT a FROM b [RANGE 5];")
    words = [str(tmp_path / "query.cql") if word.endswith("no.cql") else word for word in words]
    done = _without_parts(*words)
    assert done.returncode == 1
    assert f"pip install 'larspark[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_pins_fit_what_the_package_asks_for() -> None:
    pinned = {_name(line) for file in ("requirements.txt", "requirements-parts.txt") for line in _lines(ROOT / file)}
    optional = [need for needs in PROJECT["optional-dependencies"].values() for need in needs]
    asked = {_name(need) for need in [*PROJECT["dependencies"], *optional]} - {"larspark", "polars"}
    assert asked <= pinned
    assert {_name(need) for need in PROJECT["dependencies"]} <= {
        _name(line) for line in _lines(ROOT / "requirements.txt")
    }


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if "==" in line]


def _name(requirement: str) -> str:
    for sign in "[=<>":
        requirement = requirement.partition(sign)[0]
    return requirement.strip().lower()
