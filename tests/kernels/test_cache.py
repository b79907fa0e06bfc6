"""Compiled code across processes: what one has compiled, another loads, and may compile more against it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from larspark.cache import CACHE_VARIABLE
from larspark.intervals.compiled import inner_kernel, kernel


@kernel
def squares(count: int) -> np.ndarray:
    result = np.empty(count, np.int64)
    for place in range(count):
        result[place] = place * place
    return result


@kernel
def sum_of_squares(count: int) -> int:
    return squares(count).sum()


@kernel
def sorted_rests(count: int, base: int) -> np.ndarray:
    """Large enough to lie apart from its callers."""
    rests = squares(count)
    for place in range(count):
        rests[place] %= base
        at = place
        while at > 0 and rests[at - 1] > rests[at]:
            rests[at - 1], rests[at] = rests[at], rests[at - 1]
            at -= 1
    return rests


@kernel
def largest_rest(count: int) -> int:
    return sorted_rests(count, 7)[count - 1]


@inner_kernel
def twice(number: int) -> int:
    return 2 * number


@kernel
def four_times(number: int) -> int:
    return twice(twice(number))


SHOW = """
from kernels import test_cache as own
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


def test_a_large_kernel_is_loaded_beside_its_callers(tmp_path: Path) -> None:
    assert _process(tmp_path, "largest_rest") == ["4", "0"]
    code = {path.name.split(".")[1]: path.read_bytes() for path in tmp_path.glob("*/*")}
    assert b"squares" in code["sorted_rests"]
    assert b"sorted_rests" in code["largest_rest"]
    assert len(code["largest_rest"]) < len(code["sorted_rests"])
    assert _process(tmp_path, "largest_rest") == ["4", "1"]
    for path in tmp_path.glob("*/*.sorted_rests.*"):
        path.unlink()
    assert _process(tmp_path, "largest_rest") == ["4", "0"]  # compiled anew, with what it calls


def test_only_kernels_call_an_inner_kernel() -> None:
    assert four_times(3) == 12
    with pytest.raises(TypeError, match="only kernels can call twice"):
        twice(3)
