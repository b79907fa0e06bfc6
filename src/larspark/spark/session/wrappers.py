"""Small scripts in front of programs that Spark starts: where they can lie, and how they are put there."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path


def places() -> Iterator[Path]:
    """Folders to try in turn: an installation may be read-only, and a user may have no home."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path(os.path.expanduser("~")) / ".cache")
    for place in (Path(sys.prefix) / "share", cache, Path(tempfile.gettempdir())):
        yield place / "larspark"


def put_link(path: Path, to: Path) -> None:
    spot = _beside(path)
    spot.symlink_to(to)
    spot.replace(path)


def put_script(path: Path, text: str) -> None:
    """An executable script, unless it is there already; several processes may do so at once."""
    if path.exists() and path.read_text() == text:
        return
    spot = _beside(path)
    spot.write_text(text)
    spot.chmod(0o755)
    spot.replace(path)


def _beside(path: Path) -> Path:
    """Another name, from which it is moved into place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    spot = path.with_name(f".{path.name}.{os.getpid()}")
    spot.unlink(missing_ok=True)
    return spot
