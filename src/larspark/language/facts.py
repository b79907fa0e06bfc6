"""Ground atoms, the currency between streams, reasoners and sinks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from larspark.language.values import Value, order_key, show_value

HIDDEN = "#: "
"""How the names of predicates begin that stand for parts of rules; they are in no answer."""


class Signature(NamedTuple):
    """A predicate with its arity, written `tram/2`."""

    predicate: str
    arity: int

    @property
    def hidden(self) -> bool:
        """Whether it only stands for a part of a rule."""
        return self.predicate.startswith(HIDDEN)

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


class UniformFacts(list[Fact]):
    """Facts of one predicate, which have been looked at together and need not be again."""

    __slots__ = ("rows", "signature", "types")

    def __init__(self, facts: Iterable[Fact], signature: Signature, rows: Sequence[tuple[Value, ...]]) -> None:
        super().__init__(facts)
        self.signature, self.rows = signature, rows
        self.types: set[type] = set(map(type, chain.from_iterable(rows)))

    @classmethod
    def found(cls, facts: Sequence[Fact]) -> UniformFacts | None:
        """These facts, if they are of one predicate."""
        names, rows = zip(*facts, strict=True)
        few, lengths = set(names), set(map(len, rows))
        return cls(facts, Signature(*few, *lengths), rows) if len(few) == 1 == len(lengths) else None


def kinds_of(facts: Sequence[Fact]) -> Collection[tuple[str, int]]:
    """The names and arities of facts."""
    if isinstance(facts, UniformFacts):
        return (facts.signature,)
    return [(predicate, len(args)) for predicate, args in facts]


def fact_order(fact: Fact) -> tuple[str, int, tuple[tuple[int, Value], ...]]:
    """A sort key: by predicate, arity, then arguments by value."""
    return fact.predicate, len(fact.args), tuple(map(order_key, fact.args))
