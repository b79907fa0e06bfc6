"""Durations as Prometheus and Sigma write them: `5m`, `1h30m`."""

from __future__ import annotations

import re

_MILLISECONDS = {
    "ms": 1,
    "s": 1000,
    "m": 60_000,
    "h": 3_600_000,
    "d": 86_400_000,
    "w": 7 * 86_400_000,
    "y": 365 * 86_400_000,
}
_DURATION = re.compile(r"(?:\d+(?:ms|[smhdwy]))+|0")


def milliseconds(text: str) -> int | None:
    """The length of `1h30m`; None for what is no duration."""
    if not _DURATION.fullmatch(text):
        return None
    return sum(int(amount) * _MILLISECONDS[unit] for amount, unit in re.findall(r"(\d+)(ms|[smhdwy])", text))
