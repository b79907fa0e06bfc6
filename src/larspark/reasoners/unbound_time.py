"""The refusal of times that have infinitely many values."""

from __future__ import annotations

from larspark.diagnostics import Diagnostic, Origin


def unbound_time(origin: Origin | None) -> Diagnostic:
    """`@T` over background data, where nothing else says what T may be."""
    return Diagnostic(
        "E502",
        "Background atoms hold at infinitely many time points, so this time variable has infinitely many values.",
        "Give the time a window, or bind it by another atom of the rule.",
        origin,
    )
