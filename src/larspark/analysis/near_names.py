"""Names that differ by one slip of the fingers: a letter lost, added, changed, or swapped with its neighbour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from larspark.language.facts import Signature

SHORTEST = 4
"""Shorter names are often one letter apart on purpose; digits only number them."""


class NearNames:
    """Finds the predicate that was probably meant, without comparing every pair of names."""

    def __init__(self, known: Iterable[Signature]) -> None:
        self._known: dict[tuple[str, int], list[Signature]] = {}
        for signature in sorted(known):
            for variant in _variants(signature.predicate):
                self._known.setdefault((variant, signature.arity), []).append(signature)

    def near(self, signature: Signature) -> Signature | None:
        """Another known predicate of the same arity; names that differ in digits only are numbered on purpose."""
        if len(_letters(signature.predicate)) < SHORTEST:
            return None
        for variant in _variants(signature.predicate):
            for other in self._known.get((variant, signature.arity), ()):
                if _letters(other.predicate) != _letters(signature.predicate):
                    return other
        return None


def _variants(name: str) -> Iterator[str]:
    """The name and the name without one letter: names one slip apart have a variant in common."""
    yield name
    for position in range(len(name)):
        yield name[:position] + name[position + 1 :]


def _letters(name: str) -> str:
    return "".join(character for character in name if not character.isdigit())
