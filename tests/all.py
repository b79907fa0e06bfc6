"""The test command: style, types, import rules, then the tests of a tier. Other arguments go to pytest."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from support.tiers import TIER
from support.whole_run import run_whole

ROOT = Path(__file__).parent.parent
TOOLS = Path(sys.executable).parent

CHECKS = (
    ("style", [TOOLS / "ruff", "check", "--quiet", "."]),
    ("format", [TOOLS / "ruff", "format", "--check", "--quiet", "."]),
    ("types", [TOOLS / "mypy"]),
    ("import rules", [TOOLS / "lint-imports"]),
)


@dataclass(frozen=True)
class Tier:
    """Tests that are run together: those that a marker expression selects, and when to give up (in minutes)."""

    name: str
    selected: str
    limit: int


QUICK = Tier("quick", "not thorough and (quick or not (hypothesis or random or session))", 15)
ORDINARY = Tier("ordinary", "not thorough", 35)
THOROUGH = Tier("thorough", "thorough or partly", 35)
ALL = Tier("all", "", 60)

RUNS = {"--quick": QUICK, "": ORDINARY, "--thorough": THOROUGH, "--all": ALL}
"""By the argument, which tests are run."""

# Both cores, one file per worker at a time: module-level caches and servers stay in one process.
# In the order of `conftest.py`, which begins with what takes long, and tells at the end what did.
# A worker that dies ends the run: what it had begun in other processes would disturb the tests after it.
SPREAD = ("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", "--max-worker-restart", "0", "--durations", "25")


def main(arguments: list[str]) -> int:
    tier = RUNS.get(" ".join(arguments))
    if tier is None:
        return subprocess.call([sys.executable, "-m", "pytest", *arguments], cwd=ROOT)
    failed = [name for name, command in CHECKS if not _passes(name, command)] if tier != THOROUGH else []
    if not _run(tier):
        failed.append(f"{tier.name} tests")
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


def _run(tier: Tier) -> bool:
    started = time.monotonic()
    os.environ[TIER] = tier.name
    command = [sys.executable, "-m", "pytest", "-q", *SPREAD, "-m", tier.selected]
    passes = run_whole(command, ROOT, tier.limit * 60) == 0
    print(f"{tier.name} tests: {'ok' if passes else 'FAILED'} ({time.monotonic() - started:.0f} s)", flush=True)
    return passes


def _passes(name: str, command: list[Path | str]) -> bool:
    started = time.monotonic()
    outcome = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    passes = outcome.returncode == 0
    print(f"{name}: {'ok' if passes else 'FAILED'} ({time.monotonic() - started:.1f} s)", flush=True)
    if not passes:
        print(outcome.stdout + outcome.stderr, flush=True)
    return passes


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
