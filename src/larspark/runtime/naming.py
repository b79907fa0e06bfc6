"""What result tables and their columns are called, and what is known of their types before any value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from larspark.analysis.analysis import Analysis
from larspark.analysis.typing.arguments import describe_arguments
from larspark.language.facts import Signature
from larspark.language.tree import Show

TAKEN = frozenset({"from", "to", "at", "change", "time"})
"""Columns that are no arguments."""


def table_names(shown: Iterable[Signature]) -> dict[str, Signature]:
    """Predicates by name (with the arity when a name has several)."""
    listed = sorted(shown)
    names = [signature.predicate for signature in listed]
    return {str(one) if names.count(one.predicate) > 1 else one.predicate: one for one in listed}


def column_names(analysis: Analysis) -> dict[Signature, tuple[str, ...]]:
    """The columns of the arguments of all shown predicates.

    They are called as `#show` says; otherwise like the columns of the inputs that the values come from; otherwise arg1,
    arg2, …
    """
    shows = [one for one in analysis.program.directives if isinstance(one, Show)]
    said = {signature: names for one in shows for signature, names in one.named.items()}
    described = describe_arguments(analysis.program)
    found: dict[Signature, tuple[str, ...]] = {}
    for one in analysis.shown:
        names = said.get(one) or [told.name for told in described.get(one, ())] or [None] * one.arity
        found[one] = _distinct(names)
    return found


def _distinct(names: Sequence[str | None]) -> tuple[str, ...]:
    """Each name once, and none that another column has."""
    found: list[str] = []
    for place, name in enumerate(names, 1):
        chosen = name or f"arg{place}"
        found.append(f"{chosen}_{place}" if chosen in TAKEN or chosen in found else chosen)
    return tuple(found)
