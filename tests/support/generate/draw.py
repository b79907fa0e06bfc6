"""Drawing with probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


class Draw:
    """A source of random choices that several makers share."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, options: Sequence[Item]) -> Item:
        return options[int(self.random.random() * len(options))]

    def weighted(self, options: Mapping[Item, float]) -> Item:
        return self.random.choices(list(options), list(options.values()))[0]

    def some(self, options: Sequence[Item], probability: float) -> list[Item]:
        return [option for option in options if self.chance(probability)]
