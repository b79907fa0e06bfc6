"""Checking since when and until when a proof says that its conclusion holds, at both ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from larspark.explain.evaluations.world import EvaluationSetting
from larspark.explain.verification.judged import answer_streams
from larspark.language.parser import parse_fact


def wrong_life(proof: Mapping[str, Any], setting: EvaluationSetting) -> str | None:
    """What is wrong about it; None: nothing, or there is nothing to check.

    Where there are choices, what holds before and after depends on what was chosen then.
    """
    match proof:
        case {"span": {"from": (int() | None) as first, "to": (int() | None) as last}, "ends": {"without_input": ends}}:
            if not setting.single or proof["nodes"][0]["kind"] != "rule":
                return None
            return _Ends(proof, setting).wrong(first, last, ends)
        case {"span": _} | {"ends": _}:
            return "the times of its life are missing or have the wrong type"
    return None


class _Ends:
    def __init__(self, proof: Mapping[str, Any], setting: EvaluationSetting) -> None:
        question = proof["question"]
        self._setting, self._atom, self._time = setting, question["atom"], question["at"]
        self._about: int | None = question.get("about")

    def wrong(self, first: int | None, last: int | None, ends: object) -> str | None:
        if ends != (None if last is None else last + 1):
            return "it says of two times that the atom ends"
        if first is not None and not self._setting.start <= first <= self._time:
            return f"{self._atom} cannot hold since {first}"
        if last is not None and last < self._time:
            return f"{self._atom} cannot hold until {last}"
        for time in (first, last):
            if time is not None and not self._holds(time):
                return f"{self._atom} does not hold at {time}"
        if first is not None and first > self._setting.start and self._holds(first - 1):
            return f"{self._atom} holds before {first}"
        if last is not None and self._holds(last + 1):
            return f"{self._atom} holds after {last}"
        return None

    def _holds(self, time: int) -> bool:
        streams, _ = answer_streams(self._setting, time, self._time)
        point = time if self._about is None else self._about
        return any(parse_fact(self._atom) in one.stream.at(point) for one in streams)
