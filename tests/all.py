"""The test command: style, types, import rules, then every test. Arguments go to pytest instead."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
TOOLS = Path(sys.executable).parent

CHECKS = (
    ("style", [TOOLS / "ruff", "check", "--quiet", "."]),
    ("format", [TOOLS / "ruff", "format", "--check", "--quiet", "."]),
    ("types", [TOOLS / "mypy"]),
    ("import rules", [TOOLS / "lint-imports"]),
)


def main(arguments: list[str]) -> int:
    if arguments:
        return subprocess.call([sys.executable, "-m", "pytest", *arguments], cwd=ROOT)
    failed = []
    for name, command in CHECKS:
        started = time.monotonic()
        outcome = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        print(
            f"{name}: {'ok' if outcome.returncode == 0 else 'FAILED'} ({time.monotonic() - started:.1f} s)", flush=True
        )
        if outcome.returncode:
            failed.append(name)
            print(outcome.stdout + outcome.stderr, flush=True)
    # Both cores, one file per worker at a time: module-level caches and servers stay in one process.
    # In the order of `conftest.py`, which begins with what takes long, and tells at the end what did.
    spread = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", "--durations", "25"]
    if subprocess.call([sys.executable, "-m", "pytest", "-q", *spread], cwd=ROOT):
        failed.append("tests")
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
