"""How far ahead rules may pin atoms, for the reasoners that ground as they go."""

from __future__ import annotations

from larspark.diagnostics import Diagnostic, Rejected

FARTHEST_PIN = 1_000_000
"""Time points ahead of now; beyond, the program is taken to run away into the future."""


def require_near(time: int, now: int) -> None:
    """Reject a program that speaks about a time too far ahead."""
    if time > now + FARTHEST_PIN:
        message = f"A rule speaks about a time more than {FARTHEST_PIN} points ahead of {now}."
        raise Rejected([Diagnostic("E505", message, "Bound the time, for instance by a window in the rule's body.")])
