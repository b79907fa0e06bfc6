"""Whether the proof of an atom stays one when one of its arrivals comes again, told without evaluating.

That is where the rules only look through sliding windows `a [n]`, at conclusions of the same evaluation and at
background, negate and count nothing, and name no time: then a proof is as good at a later evaluation as long as every
arrival in it is still seen.
"""

from __future__ import annotations

from collections.abc import Mapping

from larspark.explain.evaluations.relevance import Relevance
from larspark.explain.evaluations.world import EvaluationSetting
from larspark.explain.proofs.proof import Proof, ProofNode
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
from larspark.language.traversal import walk
from larspark.language.tree import At, IntervalWindow, Now


def stays_with(setting: EvaluationSetting, relevance: Relevance, proof: Proof, fact: Fact, time: int) -> bool:
    """Whether the proof holds at a later evaluation at which this arrives; False: that is not known."""
    if proof.cut or setting.records or not (relevance.positive and names_no_time(relevance)):
        return False
    if fact.signature not in setting.sliding:  # it need not be seen when it arrives
        return False
    renewed = str(fact)
    for node in proof.nodes:
        if node.kind == "input":
            if node.details["atom"] != renewed and not _is_seen(setting, node, time):
                return False
        elif node.kind not in ("rule", "some", "background", "comparison"):
            return False
    return True


def names_no_time(relevance: Relevance) -> bool:
    """Whether no rule depends on when something is evaluated or arrived."""
    return not any(
        isinstance(part, At | Now | IntervalWindow) for rule in relevance.program.rules for part in walk(rule)
    )


def _is_seen(setting: EvaluationSetting, node: ProofNode, time: int) -> bool:
    details: Mapping[str, list[list[int]]] = node.details
    length = setting.sliding.get(parse_fact(node.details["atom"]).signature)
    return length is not None and max(last for _, last in details["at"]) >= time - length
