"""Checking what a proof says about formulas that are no extended atoms: parts have premises, premises are parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from larspark.explain.evaluations.world import World
from larspark.explain.proofs.build import part_text, window_json
from larspark.explain.proofs.evidence import (
    Absent,
    AggregateEvidence,
    Both,
    Compared,
    Either,
    Evidence,
    HoldingAtom,
    Plain,
    Quantified,
)
from larspark.explain.proofs.proof import bindings_json, instance_text, value_json
from larspark.explain.verification.absences import check_absence
from larspark.explain.verification.claims import ATOMS, NodeJson, WrongProof, facts_of, points, require
from larspark.language.parser import parse_fact
from larspark.semantics.interpretations import TimedFact


@dataclass(frozen=True)
class FormulaClaims:
    """Nodes beside the reasons that the definitions give for a formula; where several would do, for one of them."""

    nodes: Mapping[int, NodeJson]
    world: World

    def check(self, found: Evidence, node: NodeJson) -> set[int]:
        """The nodes about literals that stand where a part of the formula stands; `WrongProof` if one does not."""
        used = {node["id"]}
        match node["kind"], found:
            case ("some" | "always" | "at") as kind, Quantified() if kind == found.kind:
                require(node["window"] == window_json(found.seen), f"the window of node {node['id']} is another")
                times = points(node["times"])
                chosen = [part for time, part in found.parts if time in times]
                number = 1 if kind == "some" else len(found.parts)
                require(len(times) == len(chosen) == number, f"the node {node['id']} has other time points")
                return used | self._covered(chosen, node["premises"])
            case "formula", Both(_, parts):
                return used | self._covered(parts, node["premises"])
            case "formula", Either(_, parts):
                return used | self._one_of(parts, node["premises"])
            case "formula", Plain():
                require(not node["premises"], "what is true as it stands has no premises")
            case "absent", Absent(formula, seen, binding):
                check_absence(self.world, formula.body, seen, binding, node)
                require(not node["premises"], "an absence has no premises")
            case "comparison", Compared(_, left, right):
                require([node["left"], node["right"]] == [value_json(left), value_json(right)], "other values")
                require(not node["premises"], "a comparison has no premises")
            case "aggregate", AggregateEvidence():
                return used | self._counted(found, node)
            case kind, _:
                raise WrongProof(f"{kind} is no reason for such a condition")
        return used

    def _one_of(self, parts: Sequence[Evidence], premises: Sequence[int]) -> set[int]:
        complaint = WrongProof("no part of the formula holds by what is below it")
        for part in parts:
            try:
                return self._covered([part], premises)
            except WrongProof as wrong:
                complaint = wrong
        raise complaint

    def _covered(self, parts: Sequence[Evidence], premises: Sequence[int]) -> set[int]:
        used: set[int] = set()
        wanted: set[TimedFact] = set()
        needed: set[int] = set()
        for part in parts:
            own = [one for one in premises if self._stands_for(part, one, used)]
            require(bool(own), "a part of the formula has no premise")
            needed.update(own)
            if isinstance(part, HoldingAtom):
                wanted.add(part.timed)
        require(needed == set(premises), "a premise is no part of the formula")
        shown = {timed for one in premises if self.nodes[one]["kind"] in ATOMS for timed in facts_of(self.nodes[one])}
        require(shown <= wanted, "a premise is about more time points than the formula")
        return used

    def _stands_for(self, part: Evidence, premise: int, used: set[int]) -> bool:
        node = self.nodes[premise]
        if isinstance(part, HoldingAtom):
            if node["kind"] == "background":
                return parse_fact(node["atom"]) == part.timed[1]
            return node["kind"] in ATOMS and part.timed in facts_of(node)
        try:
            below = self.check(part, node)
        except WrongProof:
            return False
        if node["text"] != part_text(part).plain:
            return False
        used |= below
        return True

    def _counted(self, found: AggregateEvidence, node: NodeJson) -> set[int]:
        require(node["value"] == value_json(found.value), "the aggregate has another value")
        listed = [(one["tuple"], one["bindings"]) for one in node["elements"]]
        expected = [([value_json(value) for value in one.entry], bindings_json(one.binding)) for one in found.elements]
        require(listed == expected, "the aggregate has other elements")
        used: set[int] = set()
        for counted, one in zip(found.elements, node["elements"], strict=True):
            require(len(one["premises"]) == len(counted.body), "an element has other premises")
            for literal, part, premise in zip(counted.element.body, counted.body, one["premises"], strict=True):
                below = self.nodes[premise]
                if isinstance(part, HoldingAtom):
                    self._covered([part], [premise])
                else:
                    used |= self.check(part, below)
                    require(below["text"] == instance_text(literal, counted.binding), "an element has another text")
        premises = {premise for one in node["elements"] for premise in one["premises"]}
        require(premises == set(node["premises"]), "the elements have other premises")
        return used
