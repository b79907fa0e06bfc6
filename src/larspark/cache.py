"""The folder for what takes long to make and is the same at every start: compiled kernels, parser tables."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

CACHE_VARIABLE = "LARSPARK_CACHE"
"""Names the folder; by default the user's cache, or a temporary folder when that is read-only."""


def cache_folder(name: str) -> Path:
    """A folder of this name that can be written to."""
    chosen = os.environ.get(CACHE_VARIABLE)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    candidates = [Path(chosen)] if chosen else []
    candidates += [home / "larspark", Path(tempfile.gettempdir()) / f"larspark-{os.getuid()}"]
    for candidate in candidates:
        if _writable(candidate / name):
            return candidate / name
    return Path(tempfile.mkdtemp(prefix="larspark-"))


def write_whole(path: Path, content: bytes) -> None:
    """Write so that another process sees the old file or the new one, never a part; a full disk is no error."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(content)
        Path(file.name).replace(path)
    except OSError:
        return


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
