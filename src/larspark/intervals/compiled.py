"""Compiling kernels with numba, once per machine and version.

The compiled code is kept in a folder named after the content of all kernel sources: numba itself looks only at the
file a function stands in and would not notice that a function called from another file has changed. Writing is atomic,
so several processes may start at once.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import numba

from larspark.cache import cache_folder
from larspark.intervals.kernel_cache import KernelCache

FunctionT = TypeVar("FunctionT", bound=Callable[..., object])

KERNEL_SOURCES = Path(__file__).parent


def kernel(function: FunctionT) -> FunctionT:
    """Compile on the first call, without the interpreter lock's objects, cached on disk."""
    compiled = numba.njit(function)
    previous = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]
    try:
        compiled._cache = KernelCache(function)  # type: ignore[no-untyped-call]
    finally:
        numba.config.CACHE_DIR = previous  # type: ignore[attr-defined]
    return cast(FunctionT, compiled)


def inlined(function: FunctionT) -> FunctionT:
    """A small part of kernels, put into each place of use: a call inside a loop counts references to its arrays."""
    return cast(FunctionT, numba.njit(inline="always")(function))


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in sorted(KERNEL_SOURCES.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


CACHE = cache_folder(_fingerprint())


def announce_compilation() -> None:
    """Say once, on the standard error stream, that the first start on this machine takes longer."""
    if not any(CACHE.rglob("*.nbi")):
        print("larspark: compiling its kernels, once on this machine (less than a minute)", file=sys.stderr)
