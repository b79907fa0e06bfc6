"""Ground atoms, the currency between streams, reasoners and sinks."""

from __future__ import annotations

from typing import NamedTuple

from larspark.language.values import Value, order_key, show_value


class Signature(NamedTuple):
    """A predicate with its arity, written `tram/2`."""

    predicate: str
    arity: int

    def __str__(self) -> str:
        return f"{show_value(self.predicate)}/{self.arity}"


class Fact(NamedTuple):
    """A ground atom."""

    predicate: str
    args: tuple[Value, ...] = ()

    @property
    def signature(self) -> Signature:
        return Signature(self.predicate, len(self.args))

    def __str__(self) -> str:
        """The canonical spelling, `p(a,1,-2,1.5,"two words")`."""
        name = show_value(self.predicate)
        return f"{name}({','.join(map(show_value, self.args))})" if self.args else name


def fact_order(fact: Fact) -> tuple[str, int, tuple[tuple[int, Value], ...]]:
    """A sort key: by predicate, arity, then arguments by value."""
    return fact.predicate, len(fact.args), tuple(map(order_key, fact.args))
