"""Checking since when and until when a proof says that its conclusion holds, and what would keep or end it.

Both ends are evaluated, and the data with each arrival that is named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from larspark.explain.evaluations.history import Sourced
from larspark.explain.evaluations.world import EvaluationSetting
from larspark.explain.lives.life import TRIED, ending_atoms
from larspark.explain.verification.claims import WrongProof, require
from larspark.explain.verification.judged import judged
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact

_OPEN = re.compile(r"\b_\b")
"""An argument that may have any value."""


def check_life(proof: Mapping[str, Any], setting: EvaluationSetting) -> None:
    """`WrongProof` when it is wrong.

    Where there are choices, what holds depends on what was chosen at all evaluations before: it may hold where an
    answer stream has it, and may not where one has it not.
    """
    if "span" not in proof or proof["nodes"][0]["kind"] not in ("rule", "recorded"):
        return
    match proof:
        case {
            "span": {"from": (int() | None) as first, "to": (int() | None) as last},
            "ends": {"without_input": ends, "continues_with": [*keeping], "ends_with": [*ending]},
        }:
            claimed = _ClaimedLife(proof, setting)
            claimed.check_times(first, last, ends)
            claimed.check_keeping(last, keeping)
            claimed.check_ending(ending)
        case _:
            raise WrongProof("the times of its life have the wrong type")


class _ClaimedLife:
    def __init__(self, proof: Mapping[str, Any], setting: EvaluationSetting) -> None:
        question = proof["question"]
        self._setting, self._atom, self._time = setting, question["atom"], question["at"]
        self._about: int | None = question.get("about")

    def check_times(self, first: int | None, last: int | None, ends: object) -> None:
        """At both ends it holds, and beyond them it does not."""
        require(ends == (None if last is None else last + 1), "it says of two times that the atom ends")
        known = first is None or self._setting.start <= first <= self._time
        require(known, f"{self._atom} cannot hold since {first}")
        require(last is None or last >= self._time, f"{self._atom} cannot hold until {last}")
        for time in (first, last):
            require(time is None or self._may_hold(time), f"{self._atom} does not hold at {time}")
        earliest = first is None or first == self._setting.start
        require(earliest or not self._must_hold((first or 0) - 1), f"{self._atom} holds before {first}")
        require(last is None or not self._must_hold(last + 1), f"{self._atom} holds after {last}")

    def check_keeping(self, last: int | None, keeping: Sequence[Any]) -> None:
        """What is said to keep it does, at these times."""
        require(not keeping or last is not None, f"{self._atom} does not end, and needs nothing to go on")
        for one in keeping:
            fact, (since, until) = parse_fact(one["atom"]), one["at"]
            kept = self._is_kept(fact, since, until, (last or 0) + 1)
            require(kept, f"{self._atom} does not go on just with {fact} in {since}-{until}")

    def check_ending(self, ending: Sequence[Any]) -> None:
        """What is said to end it does."""
        for one in ending:
            ended = self._is_ending(one["pattern"], one.get("other", False))
            require(ended, f"{self._atom} does not end with {one['pattern']}")

    def _is_kept(self, fact: Fact, since: int, until: int, ends: int) -> bool:
        """By an arrival at any of these times, and at no others, as far as they are looked at."""
        following = self._time + 1
        if not following <= since <= until <= ends:
            return False
        if not all(self._keeps(fact, arrives, ends, self._may_hold) for arrives in {since, until}):
            return False
        if until < ends and self._keeps(fact, ends, ends, self._must_hold):
            return False
        if since == following or ends - since >= TRIED:
            return True
        if self._keeps(fact, following, ends, self._must_hold):
            return False
        return since == ends or not self._keeps(fact, since - 1, ends, self._must_hold)

    @staticmethod
    def _keeps(fact: Fact, arrives: int, ends: int, holds: Callable[[int, Sourced | None], bool]) -> bool:
        """From its arrival to where the atom would have ended."""
        return all(holds(time, Sourced(arrives, fact)) for time in range(arrives, ends + 1))

    def _is_ending(self, pattern: str, other: bool) -> bool:
        fact = parse_fact(_OPEN.sub("any", pattern))
        excluded = {
            keys is not None
            for rule in self._setting.program.rules
            for atom, keys in ending_atoms(self._setting, rule)
            if atom.signature == fact.signature
        }
        return other in excluded and not self._must_hold(self._time, Sourced(self._time, fact))

    def _may_hold(self, time: int, added: Sourced | None = None) -> bool:
        return any(self._having(time, added))

    def _must_hold(self, time: int, added: Sourced | None = None) -> bool:
        having = list(self._having(time, added))
        return bool(having) and all(having)

    def _having(self, time: int, added: Sourced | None) -> Iterator[bool]:
        """Whether the answer streams of an evaluation have the atom."""
        point, more = time if self._about is None else self._about, () if added is None else (added,)
        found = judged(self._setting, time, self._time, more)
        return (parse_fact(self._atom) in one.stream.at(point) for one in found.streams)
