"""The choice between answer streams depends on the input alone, not on the process that makes it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHOICE = "l(X) :- seen(X), not r(X). r(X) :- seen(X), not l(X)."
PROGRAMS = {
    "standing": f"seen(X) :- a(X) [9]. {CHOICE}",
    "recorded": f"#record seen/1. seen(X) :- a(X). seen(X) :- seen(X) [1]. {CHOICE}",
}


@pytest.mark.parametrize("reasoner", ["clingo", "jtms"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_whatever_the_hashes_are(name: str, reasoner: str, tmp_path: Path) -> None:
    (tmp_path / "p.lars").write_text(PROGRAMS[name])
    arrivals = [f'{{"time": {time}, "atom": "a({name})"}}\n' for time, name in ((2, "x"), (2, "w"), (4, "y"), (9, "z"))]
    (tmp_path / "s.jsonl").write_text("".join(arrivals))
    words = [sys.executable, "-m", "larspark", "eval", str(tmp_path / "p.lars"), "--stream", str(tmp_path / "s.jsonl")]
    outcomes = {
        subprocess.run(
            [*words, "--reasoner", reasoner],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert len(outcomes) == 1
