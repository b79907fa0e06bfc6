"""The folders that compiled kernels are read from, and the one that new ones are put into."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from larspark.cache import cache_folder, write_whole
from larspark.kernels.target import folder_name

CARRIED = Path(__file__).with_name("carried")
"""What a wheel brings along; read only."""

COMPLETE = "complete"
"""The file that is written when all kernels are there."""

BUILDING = "building"
"""The file that whoever compiles holds a lock of."""


@cache
def own_folder() -> Path:
    """The user's: nobody else can write to it."""
    return cache_folder(folder_name())


@cache
def _folders() -> tuple[Path, ...]:
    carried = CARRIED / folder_name()
    return (carried, own_folder()) if carried.is_dir() else (own_folder(),)


def is_complete() -> bool:
    """Whether no kernel needs to be compiled."""
    return any((folder / COMPLETE).exists() for folder in _folders())


def complete_folder() -> Path | None:
    """The folder with all kernels, if there is one."""
    return next((folder for folder in _folders() if (folder / COMPLETE).exists()), None)


def read(name: str) -> bytes | None:
    for folder in _folders():
        try:
            return (folder / name).read_bytes()
        except OSError:
            continue
    return None


def write(name: str, content: bytes) -> None:
    write_whole(own_folder() / name, content)
