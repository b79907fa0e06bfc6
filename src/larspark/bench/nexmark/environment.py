"""The environment of the peers: a folder with a Python of their own, since Flink needs other versions than larspark."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PACKAGES = ("apache-flink==2.1.0", "duckdb==2.0.0")
ALONE = ("PySiddhi==5.1.0",)
"""What is taken without what it needs itself: only its jars are used."""


def make_environment(folder: Path) -> Path:
    """The folder, whose Python is made when it is not there: about 1 GB, from the usual package index."""
    python, made = folder / "bin" / "python", folder / "made"
    wanted = " ".join((*PACKAGES, *ALONE))
    if not made.exists() or made.read_text("utf-8") != wanted:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet"]
        subprocess.run([*install, *PACKAGES], check=True, stdout=sys.stderr)
        subprocess.run([*install, "--no-deps", *ALONE], check=True, stdout=sys.stderr)
        made.write_text(wanted, "utf-8")
    return folder.absolute()


def jars_of_siddhi(folder: Path) -> list[Path]:
    """Everything that Siddhi needs on the way of classes."""
    return sorted(folder.glob("lib/python*/site-packages/__PySiddhiProxy/target/lib/*.jar"))
