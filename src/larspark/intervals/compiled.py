"""Compiling kernels with numba, once per machine and version.

The compiled code is kept in a folder named after the content of all kernel sources: numba itself looks only at the
file a function stands in and would not notice that a function called from another file has changed. Writing is atomic,
so several processes may start at once.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import numba

FunctionT = TypeVar("FunctionT", bound=Callable[..., object])

KERNEL_SOURCES = Path(__file__).parent
CACHE_VARIABLE = "LARSPARK_CACHE"
"""Names the folder for compiled code; by default the user's cache, or a temporary folder when that is read-only."""


def kernel(function: FunctionT) -> FunctionT:
    """Compile on the first call, without the interpreter lock's objects, cached on disk."""
    previous = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]
    try:
        return cast(FunctionT, numba.njit(cache=True)(function))
    finally:
        numba.config.CACHE_DIR = previous  # type: ignore[attr-defined]


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in sorted(KERNEL_SOURCES.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _cache_folder() -> Path:
    chosen = os.environ.get(CACHE_VARIABLE)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    candidates = [Path(chosen)] if chosen else []
    candidates += [home / "larspark", Path(tempfile.gettempdir()) / f"larspark-{os.getuid()}"]
    name = _fingerprint()
    for candidate in candidates:
        if _writable(candidate / name):
            return candidate / name
    return Path(tempfile.mkdtemp(prefix="larspark-"))


CACHE = _cache_folder()


def announce_compilation() -> None:
    """Say once, on the standard error stream, that the first start on this machine takes longer."""
    if not any(CACHE.rglob("*.nbi")):
        print("larspark: compiling its kernels, once on this machine (about half a minute)", file=sys.stderr)
