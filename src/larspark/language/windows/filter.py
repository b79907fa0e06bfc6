"""f^A: `[of tram/2, bus(b1,_)]`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from larspark.language.facts import Fact, Signature
from larspark.language.terms import Node
from larspark.language.values import Value, show_value
from larspark.language.windows.selection import Selection
from larspark.language.windows.window import WindowNode

if TYPE_CHECKING:
    from larspark.language.tree import Atom


@dataclass(frozen=True)
class Pattern(Node):
    """Atoms a filter lets through: predicate and arguments, None standing for any value."""

    predicate: str
    args: tuple[Value | None, ...]

    @property
    def signature(self) -> Signature:
        return Signature(self.predicate, len(self.args))

    def lets_through(self, fact: Fact) -> bool:
        return (
            self.predicate == fact.predicate
            and len(self.args) == len(fact.args)
            and all(wanted is None or wanted == value for wanted, value in zip(self.args, fact.args, strict=True))
        )

    def show(self) -> str:
        name = show_value(self.predicate)
        if all(arg is None for arg in self.args):
            return f"{name}/{len(self.args)}"
        return f"{name}({','.join('_' if arg is None else show_value(arg) for arg in self.args)})"


@dataclass(frozen=True)
class FilterWindow(WindowNode):
    """The timeline stays, atoms outside A go."""

    keeps_now = True
    has_no_end = True
    moves_by_arrivals = True
    patterns: tuple[Pattern, ...]

    def lets_through(self, fact: Fact) -> bool:
        return any(pattern.lets_through(fact) for pattern in self.patterns)

    def select(self, stream: Selection, now: int) -> Selection:
        return replace(stream, arrivals=[one for one in stream.arrivals if self.lets_through(one.fact)])

    def show(self, atom: Atom | None) -> str:
        return f"[of {', '.join(pattern.show() for pattern in self.patterns)}]"
