"""Atoms at a time point of their own."""

from __future__ import annotations

from typing import NamedTuple

from larspark.language.facts import Fact


class Pinned(NamedTuple):
    """`@time fact`."""

    time: int
    fact: Fact

    def __str__(self) -> str:
        return f"@{self.time} {self.fact}"
