"""What the tables of a stream show."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """Intervals up to the watermark, unless it is said otherwise."""

    early: bool = False
    """Up to the latest time seen; what lies after the watermark may be corrected."""
    changes: bool = False
    """Where intervals start and end."""


FINAL = Style()
