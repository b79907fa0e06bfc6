"""Checking what a proof says about other answer streams: how many have the atom, and what it lacks in another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from larspark.explain.evaluations.world import World
from larspark.explain.misses.reasons import Reasons
from larspark.explain.misses.why_not import chosen_otherwise, find_candidates
from larspark.explain.proofs.proof import Question
from larspark.explain.verification.claims import require
from larspark.explain.verification.judged import Judged
from larspark.language.parser import parse_fact


def check_elsewhere(proof: Mapping[str, Any], found: Judged, shown: World) -> None:
    """The proof is about one of the answer streams."""
    asked = proof["question"]
    question = Question("why", parse_fact(asked["atom"]), asked["at"], asked.get("about"))
    given = shown.place.m.is_background(question.fact)
    lacking = [one for one in found.streams if not given and question.fact not in one.stream.at(question.point)]
    counted = {"count": len(found.streams), "with": len(found.streams) - len(lacking)}
    right = bool(lacking) and proof["answer_streams"] == counted
    require(right, f"{counted['with']} of {counted['count']} answer streams have {question.fact} at {question.point}")
    reasons = any(_lacks(found.world(one), shown, question, proof["elsewhere"]) for one in lacking)
    require(reasons, f"no answer stream lacks {question.fact} for these reasons")


def _lacks(world: World, shown: World, question: Question, claimed: Sequence[Mapping[str, Any]]) -> bool:
    misses = sorted(find_candidates(Reasons(world, world.past), question), key=lambda miss: miss.order)
    expected = [chosen_otherwise(miss, shown).as_json() for miss in misses]
    return len(expected) == len(claimed) and all(map(_is_same, claimed, expected))


def _is_same(claimed: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    others = {name: value for name, value in claimed.items() if name != "literals"}
    if others != {name: value for name, value in expected.items() if name != "literals"}:
        return False
    literals = zip(claimed["literals"], expected["literals"], strict=False)
    return len(claimed["literals"]) == len(expected["literals"]) and all(_is_same_reason(*one) for one in literals)


def _is_same_reason(claimed: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    """What was chosen at earlier evaluations is not known here, so when something held last may be said or not."""
    if claimed == expected:
        return True
    before = claimed.get("derived") is True and claimed["left"] == claimed["last"] + 1
    return before and [claimed[name] for name in ("text", "ok")] == [expected[name] for name in ("text", "ok")]
