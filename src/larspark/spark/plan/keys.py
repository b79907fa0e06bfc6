"""The keys of a partition that is evaluated key by key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from larspark.language.facts import Fact, Signature
from larspark.language.values import Value


@dataclass(frozen=True)
class Keys:
    """Where the keys of a partition are found."""

    places: Mapping[Signature, int]
    """The argument with the key, in each predicate that is given."""
    lasting: Mapping[Value | None, tuple[Fact, ...]]
    """The keys that can have conclusions without data, with their background."""
    background: tuple[Fact, ...]
    """That of all other keys."""
