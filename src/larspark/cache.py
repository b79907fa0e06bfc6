"""The folder for what takes long to make and is the same at every start: compiled kernels, parser tables.

Its content is run, so it is never read from a place that others can write to.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

CACHE_VARIABLE = "LARSPARK_CACHE"
"""Names the folder; by default the user's cache, or a temporary folder when that is read-only."""


def cache_folder(name: str) -> Path:
    """A folder of this name that can be written to, by this user alone."""
    chosen = os.environ.get(CACHE_VARIABLE)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path(os.path.expanduser("~")) / ".cache")
    candidates = [Path(chosen)] if chosen else []
    candidates += [home / "larspark", Path(tempfile.gettempdir()) / f"larspark-{os.getuid()}"]
    for candidate in candidates:
        folder = candidate.absolute() / name
        if _made(folder) and only_ours(folder):
            return folder
    return Path(tempfile.mkdtemp(prefix="larspark-"))


def write_whole(path: Path, content: bytes) -> None:
    """Write so that another process sees the old file or the new one, never a part; a full disk is no error."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(content)
        Path(file.name).replace(path)
    except OSError:
        return


def only_ours(folder: Path) -> bool:
    """Whether no other user can put something there: neither into the folder nor, by exchanging it, above it."""
    try:
        real = folder.resolve(strict=True)
        return _trusted(real.stat(), sticky=False) and all(_trusted(above.stat()) for above in real.parents)
    except OSError:
        return False


def _trusted(status: os.stat_result, *, sticky: bool = True) -> bool:
    if status.st_uid not in (0, os.getuid()):
        return False
    if sticky and status.st_mode & stat.S_ISVTX:
        return True  # others may add entries, not exchange ours
    others = stat.S_IWOTH if status.st_gid == os.getgid() else stat.S_IWOTH | stat.S_IWGRP
    return not status.st_mode & others


def _made(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
