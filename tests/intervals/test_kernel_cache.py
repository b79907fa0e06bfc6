"""Compiled code across processes: what one has compiled, another loads, and may compile more against it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from larspark.cache import CACHE_VARIABLE
from larspark.intervals.compiled import kernel


@kernel
def squares(count: int) -> np.ndarray:
    result = np.empty(count, np.int64)
    for place in range(count):
        result[place] = place * place
    return result


@kernel
def sum_of_squares(count: int) -> int:
    return squares(count).sum()


SHOW = """
from intervals import test_kernel_cache as own
print(*(getattr(own, name)(4) for name in {names!r}))
print(*(sum(getattr(own, name).stats.cache_hits.values()) for name in {names!r}))
"""


def _process(folder: Path, *names: str) -> list[str]:
    """The results of the kernels in a new process, then how many of each came from the cache."""
    environment = {**os.environ, CACHE_VARIABLE: str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SHOW.format(names=names)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()


def test_code_is_loaded_and_linked_with_new_code(tmp_path: Path) -> None:
    assert _process(tmp_path, "squares") == ["[0 1 4 9]", "0"]
    # The caller is compiled against the loaded code of what it calls.
    assert _process(tmp_path, "sum_of_squares", "squares") == ["14 [0 1 4 9]", "0 1"]
    assert _process(tmp_path, "sum_of_squares", "squares") == ["14 [0 1 4 9]", "1 1"]
