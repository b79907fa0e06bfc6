"""The environment of the peers: a folder with a Python of their own, since Flink needs other versions than larspark."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PACKAGES = ("apache-flink==2.1.0", "duckdb==2.0.0")


def python_of_peers(folder: Path) -> Path:
    """The Python in a folder, which is made when it is not there: about 1 GB, from the usual package index."""
    python = folder / "bin" / "python"
    if not (folder / "made").exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        (folder / "made").touch()
    return python
