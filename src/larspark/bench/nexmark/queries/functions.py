"""Text functions of q14, q21 and q22."""

from __future__ import annotations

import re
from functools import lru_cache

_CHANNEL = re.compile(r"(?:&|^)channel_id=([^&]*)")


def count_char(text: str, character: str) -> int:
    """How often a character occurs."""
    return text.count(character)


@lru_cache(maxsize=100_000)
def channel_id(url: str) -> str | None:
    """The number of a channel in its address."""
    found = _CHANNEL.search(url)
    return found.group(1) if found else None


@lru_cache(maxsize=100_000)
def directory(url: str, place: int) -> str:
    """A part of an address between slashes."""
    return url.split("/")[place]
