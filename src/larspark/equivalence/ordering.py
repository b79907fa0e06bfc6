"""Atoms at time points in one order, whatever their arguments are."""

from __future__ import annotations

from collections.abc import Iterable

from larspark.language.facts import fact_order
from larspark.semantics.interpretations import TimedFact


def ordered(atoms: Iterable[TimedFact]) -> list[TimedFact]:
    """By time, then as facts are sorted everywhere."""
    return sorted(atoms, key=lambda timed: (timed[0], fact_order(timed[1])))
