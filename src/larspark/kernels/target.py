"""What kernels are compiled for, and the name of their folder, which is the same wherever the same code fits."""

from __future__ import annotations

import hashlib
import platform
import sys
from functools import cache
from pathlib import Path

import numba

CPU = "generic"
"""The baseline of the platform, whose code runs on every machine of this kind."""

PACKAGES = ("larspark.intervals", "larspark.read.scanning")
"""Where kernels stand."""


def sources() -> dict[str, Path]:
    """The modules with kernels, by their names; the last part of a name, by which kernels are called, is unique."""
    root = Path(__file__).parents[2]
    folders = [root.joinpath(*package.split(".")) for package in PACKAGES]
    paths = [path for folder in folders for path in sorted(folder.rglob("*.py")) if path.stem != "__init__"]
    return {".".join(path.relative_to(root).with_suffix("").parts): path for path in paths}


@cache
def folder_name() -> str:
    """Names platform, Python, numba, and the content of all sources.

    numba itself looks only at the file a function stands in and would not notice that a function called from another
    file has changed.
    """
    made_with = f"{sys.implementation.cache_tag} {numba.__version__} {CPU} {platform.system()} {platform.machine()}"
    digest = hashlib.sha256(made_with.encode())
    format_of_files = [Path(__file__).with_name(name) for name in ("linking.py", "loading.py", "passes.py")]
    for path in [*sources().values(), *format_of_files]:
        digest.update(path.read_bytes())
    return f"kernels-{digest.hexdigest()[:16]}"
