"""Where the examples are: in the package of an installation, or beside the sources."""

from __future__ import annotations

from pathlib import Path

_CARRIED = Path(__file__).parents[2] / "examples"

EXAMPLES = _CARRIED if _CARRIED.exists() else Path(__file__).parents[4] / "examples"
