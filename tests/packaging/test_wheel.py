"""The wheel and the source distribution, built from this tree and tried where nothing else of it is."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.thorough

BUILD = """
import sys
from setuptools import build_meta
folder = sys.argv[1]  # the builds have arguments of their own
build_meta.build_sdist(folder)
build_meta.build_wheel(folder)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source distribution, and the wheel, from a copy of the tree without what has been made in it."""
    folder = tmp_path_factory.mktemp("built")
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    for name in tracked:
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "tree" / name).write_bytes((ROOT / name).read_bytes())
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=folder / "tree", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return source, wheel


def test_the_source_distribution_has_what_a_build_needs(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"setup.py", "pyproject.toml", "LICENSE", "src/larspark/language/grammar.lark"} <= names
    assert "examples/machines.lars" in names


def test_the_wheel_runs_the_examples_in_an_empty_environment(built: tuple[Path, Path], tmp_path: Path) -> None:
    """Its dependencies are those of this environment, found behind everything else."""
    with zipfile.ZipFile(built[1]) as archive:
        assert not [name for name in archive.namelist() if name.startswith(("tests/", "larspark/bench/"))]
    venv.create(tmp_path / "env", with_pip=False)
    (site,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    with zipfile.ZipFile(built[1]) as archive:
        archive.extractall(site)
    here = Path(next(path for path in sys.path if path.endswith("site-packages")))
    (site / "dependencies.pth").write_text(f"{here}\n")
    python = tmp_path / "env" / "bin" / "python"
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(Path.home())}
    for words in (
        ["--version"],
        ["demo", "machines"],
        ["demo", "cooling"],
        ["check", str(ROOT / "examples/network.lars")],
    ):
        done = subprocess.run(
            [python, "-I", "-m", "larspark", *words],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [python, "-I", "-m", "larspark", "bench", "--list"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "./run bench" in done.stderr
    place = subprocess.run(
        [python, "-I", "-c", "import larspark; print(larspark.__file__)"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert place.stdout.startswith(str(tmp_path))
