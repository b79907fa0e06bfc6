"""Substitutions: which values variables range over (thesis, before Def. 14)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.tree import Node
from larspark.language.values import Value
from larspark.semantics.names import time_names
from larspark.semantics.structures import Binding, Structure


def ranging(m: Structure, unbound: Collection[str], context: Node, binding: Binding) -> Iterator[Binding]:
    """All values for some variables: σ over (C, T) maps time variables to T and the others to C (Def. 14)."""
    if not unbound:
        yield binding
        return
    name, *others = sorted(unbound)
    values: Iterable[Value] = m.domain
    if name in time_names(context):
        if m.stream.end is None:
            raise Rejected([unbounded(name, context)])
        values = range(m.stream.start, m.stream.end + 1)
    for value in values:
        yield from ranging(m, others, context, {**binding, name: value})


def unbounded(name: str, context: Node) -> Diagnostic:
    return Diagnostic(
        "E502",
        f"{name} may be any of infinitely many time points.",
        f"Bind {name} by an atom, or give the timeline an end.",
        context.origin,
    )


def distinct(found: Iterable[Binding], relevant: frozenset[str]) -> Iterator[Binding]:
    """Each solution once."""
    seen: set[frozenset[tuple[str, Value]]] = set()
    for solution in found:
        key = frozenset((name, solution[name]) for name in relevant if name in solution)
        if key not in seen:
            seen.add(key)
            yield solution
