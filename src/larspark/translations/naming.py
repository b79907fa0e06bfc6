"""Fresh predicate names for what a translation introduces."""

from __future__ import annotations

from collections.abc import Iterable


class Names:
    """Hands out predicate names that the user has not taken, the wanted one if it is free."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def fresh(self, wanted: str) -> str:
        name, number = wanted, 1
        while name in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name

    def numbered(self, stem: str) -> str:
        """The next of `stem_1`, `stem_2`, …"""
        number = 1
        while f"{stem}_{number}" in self._taken:
            number += 1
        return self.fresh(f"{stem}_{number}")
