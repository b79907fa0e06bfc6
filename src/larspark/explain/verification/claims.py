"""What a proof claims, and what is said of a claim that is not right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
from larspark.semantics.interpretations import TimedFact

NodeJson: TypeAlias = Mapping[str, Any]

ATOMS = ("rule", "input", "background", "recorded", "held")
"""The kinds of nodes that stand for atoms."""


class WrongProof(Exception):
    """A claim of a proof that is not right."""


def require(condition: bool, complaint: str) -> None:
    if not condition:
        raise WrongProof(complaint)


def points(spans: Iterable[tuple[int, int]]) -> set[int]:
    return {point for first, last in spans for point in range(first, last + 1)}


def facts_of(node: NodeJson) -> list[TimedFact]:
    """The atoms that a node stands for, with their times; background has none of its own."""
    fact: Fact = parse_fact(node["atom"])
    match node["kind"]:
        case "rule":
            return [(node["at"][0], fact)]
        case "input" | "recorded" | "held":
            return [(time, fact) for first, last in node["at"] for time in range(first, last + 1)]
        case "background":
            return []
    raise WrongProof(f"the node {node['id']} stands for no atom")
