"""Windows over the arrivals of some predicates, apart for every value of some arguments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from larspark.language.facts import Fact, Signature
from larspark.language.terms import Node
from larspark.language.values import Value, show_value
from larspark.language.windows.selection import Arrival, Selection
from larspark.language.windows.text import show_key
from larspark.language.windows.window import WindowNode

if TYPE_CHECKING:
    from larspark.language.tree import Atom


@dataclass(frozen=True)
class Keyed(Node):
    """A predicate, and the places (from 0) of the arguments that are its key."""

    signature: Signature
    keys: tuple[int, ...]

    def key_of(self, fact: Fact) -> tuple[Value, ...]:
        return tuple(fact.args[key] for key in self.keys)

    def show(self, names: tuple[str, ...]) -> str:
        """The predicate, with a name in each place of the key."""
        if not self.keys:
            return str(self.signature)
        named = dict(zip(self.keys, names, strict=True))
        args = ",".join(named.get(place, "_") for place in range(self.signature.arity))
        return f"{show_value(self.signature.predicate)}({args})"


class KeyedWindow(WindowNode):
    """Common to those that have keys; which fields they have, in which order, they say themselves."""

    counts_arrivals = True
    keeps_now = True
    forgets = True
    predicates: tuple[Keyed, ...]
    """All have as many keys; arrivals with equal ones belong together, whatever their predicate."""

    def keys_of(self, signature: Signature) -> tuple[int, ...] | None:
        """The places of the key in a predicate; None where it is not counted."""
        return next((one.keys for one in self.predicates if one.signature == signature), None)

    def key_of(self, fact: Fact) -> tuple[Value, ...] | None:
        keys = self.keys_of(fact.signature)
        return None if keys is None else tuple(fact.args[key] for key in keys)

    def by_key(self, stream: Selection) -> Iterable[list[Arrival]]:
        """The arrivals of the predicates, those of each key in order."""
        parts: dict[tuple[Value, ...], list[Arrival]] = defaultdict(list)
        for arrival in stream.arrivals:
            key = self.key_of(arrival.fact)
            if key is not None:
                parts[key].append(arrival)
        return parts.values()

    def show_keys(self, atom: Atom | None) -> tuple[str, str]:
        """The predicates, where they are not that of the atom alone, and the keys."""
        first, *others = self.predicates
        if any(one.keys != first.keys for one in others):
            names = tuple(f"K{place + 1}" for place in range(len(first.keys)))
            return f" of {', '.join(one.show(names) for one in self.predicates)}", f" {', '.join(names)}"
        here = atom is not None and not others and atom.signature == first.signature
        keys = ", ".join(show_key(key, atom if here else None) for key in first.keys)
        of = "" if here else f" of {', '.join(str(one.signature) for one in self.predicates)}"
        return of, f" {keys}" if keys else ""
