"""Predicate names of the generated program.

An atom `p(x)` at time u becomes `p(x,u)`. Names that clingo cannot spell, and all auxiliary predicates, start with an
underscore, which no predicate of the language does: nothing collides.
"""

from __future__ import annotations

import re

from larspark.language.facts import Signature
from larspark.language.values import RESERVED, SYMBOL


class ClingoNames:
    """Gives every predicate its name, and finds the predicate again."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._predicates: dict[str, str] = {}

    def predicate(self, predicate: str) -> str:
        """The name of a predicate of the user."""
        if predicate not in self._names:
            plain = SYMBOL.match(predicate) and predicate not in RESERVED
            name = predicate if plain else f"_p{len(self._names)}_{re.sub(r'[^a-zA-Z0-9]', '_', predicate)}"
            self._names[predicate] = name
            self._predicates[name] = predicate
        return self._names[predicate]

    def origin(self, name: str) -> str | None:
        """The predicate of the user behind a name, None for an auxiliary one."""
        return self._predicates.get(name)

    def background(self, signature: Signature) -> str:
        """The predicate of atoms that hold at every time."""
        return f"_always_{self.predicate(signature.predicate)}"
