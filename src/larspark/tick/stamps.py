"""The time of a signal, where the signal says it itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from larspark.diagnostics import Diagnostic
from larspark.hypothetical.theory.full_atoms import objection, short_form
from larspark.hypothetical.theory.theory import Theory
from larspark.tick.signals import Signal

Stamping: TypeAlias = Callable[[Signal], Signal | Diagnostic]


def as_it_is(event: Signal) -> Signal:
    return event


def full_atoms(theory: Theory) -> Stamping:
    """`temp(wt25,high,3)` is temp(wt25,high) at 3; in a line of another time it is refused."""

    def stamp(event: Signal) -> Signal | Diagnostic:
        found = short_form(event.fact, theory)
        if found is None:
            return event
        about, fact = found
        refused = None if event.time is None else objection(event.fact, event.time, theory)
        return refused or event._replace(fact=fact, time=about)

    return stamp
