"""Checking what a proof says about an absence: what was looked for, where, and the nearest thing that was found."""

from __future__ import annotations

from typing import Any

from larspark.explain.evaluations.matching import matched
from larspark.explain.evaluations.relevance import MANY
from larspark.explain.evaluations.world import World
from larspark.explain.proofs.build import window_json
from larspark.explain.proofs.evidence import Seen
from larspark.explain.proofs.nearest import differing, nearest, pattern
from larspark.explain.proofs.proof import instance_text
from larspark.explain.verification.claims import NodeJson, require
from larspark.language.parser import parse_fact
from larspark.language.traversal import atoms
from larspark.language.tree import Formula
from larspark.semantics.structures import Binding


def check_absence(world: World, negated: Formula, seen: Seen, binding: Binding, node: NodeJson) -> None:
    """It is absent; that is known."""
    require(node["pattern"] == instance_text(negated, binding), f"the node {node['id']} looks for something else")
    require(node["window"] == window_json(seen), f"the window of node {node['id']} is {window_json(seen)}")
    found = nearest(world, negated, binding, seen)
    expected = None if found is None else found.as_json()
    if node["nearest"] != expected:
        complaint = "there is nothing like it" if found is None else f"the nearest is {found.fact} at {found.time}"
        concluded = found is not None and found.differs and found.fact.signature in world.setting.intensional
        much = world.setting.index.number(world.time) > MANY["why"]
        require(bool(concluded) and much and _is_like(world, negated, seen, binding, node["nearest"]), complaint)


def _is_like(world: World, negated: Formula, seen: Seen, binding: Binding, claimed: dict[str, Any] | None) -> bool:
    """Of much data, who made the proof need not have known all conclusions with other arguments: any will do."""
    if claimed is None:
        return True
    time, fact = claimed["at"], parse_fact(claimed["atom"])
    (atom,) = atoms(negated)
    wanted = pattern(world, atom, binding)
    there = (time, fact) in world.derived and seen.first <= time and (seen.last is None or time <= seen.last)
    other = fact.signature == wanted.signature and matched(wanted, fact, {}) is None
    return there and other and claimed == {"atom": str(fact), "at": time, "differs": list(differing(wanted, fact))}
