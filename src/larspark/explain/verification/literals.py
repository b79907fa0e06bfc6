"""Checking what a proof says about the conditions of a rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from larspark.explain.evaluations.world import World
from larspark.explain.proofs.build import window_json
from larspark.explain.proofs.evidence import evidence, looked_at, seen
from larspark.explain.proofs.proof import bindings_json, instance_text, read_value, value_json
from larspark.explain.verification.absences import check_absence
from larspark.explain.verification.claims import ATOMS, NodeJson, WrongProof, facts_of, points, require
from larspark.explain.verification.formulas import FormulaClaims
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
from larspark.language.printing.printer import show
from larspark.language.tree import (
    Aggregate,
    AggregateElement,
    Always,
    At,
    Atom,
    Comparison,
    Formula,
    Not,
    Reset,
    Some,
    Variable,
    Window,
    Windowed,
)
from larspark.language.values import NotANumber, Value
from larspark.semantics.aggregates import aggregate
from larspark.semantics.entailment import conjunction, entails, solutions, windowed
from larspark.semantics.horizon import instants
from larspark.semantics.names import names, order
from larspark.semantics.structures import Binding, Place


@dataclass
class Claims:
    """The nodes of a proof about literals, seen from one evaluation."""

    nodes: Mapping[int, NodeJson]
    world: World
    root: Place
    used: set[int] = field(default_factory=set)
    """Those that stand where such a literal stands."""

    def condition(self, literal: Formula, written: Formula, binding: Binding, node: NodeJson) -> None:
        """The node says why a condition of a rule holds, and is right."""
        with_values = node["kind"] not in ("comparison", "aggregate")  # which tell the values themselves
        shown = instance_text(written, binding) if with_values else show(written)
        self.check(self.root, literal, binding, node, shown)

    def check(self, place: Place, literal: Formula, binding: Binding, node: NodeJson, text: str) -> None:
        """The same for a literal wherever it stands; nodes that stand for no atom have its text."""
        inner, body, windows = place, literal, list[Window]()
        while isinstance(body, Windowed | Reset):
            if isinstance(body, Windowed):
                windows.append(body.window)
                inner, body = windowed(inner, body.window, binding), body.body
            else:
                inner, body, windows = inner.on(inner.m.stream), body.body, []
        if isinstance(body, Atom) and not windows:
            self._check_atom(inner, body, binding, node, inner.time)
            return
        self.used.add(node["id"])
        require(node["text"] == text, f"the node {node['id']} is about `{text}`")
        if node["kind"] in ("some", "always", "at"):
            expected = window_json(seen(inner, tuple(windows)))
            require(node["window"] == expected, f"the window of node {node['id']} is {expected}")
        match node["kind"], body:
            case "some", Some(Atom() as atom):
                self._check_at(inner, atom, binding, node)
            case "always", Always(Atom() as atom):
                everywhere = set(instants(inner, atom, binding))
                require(points(node["times"]) == everywhere and bool(everywhere), "`always` has other time points")
                self._check_everywhere(inner, atom, binding, node, everywhere)
            case "at", At(term, Atom() as atom):
                time = self._check_at(inner, atom, binding, node)
                unknown = isinstance(term, Variable) and term.name not in binding
                require(unknown or inner.m.value(term, binding) == time, "`@` is about another time point")
            case "at", Atom() as atom:
                time = self._check_at(inner, atom, binding, node)
                require(time == inner.time, f"the node {node['id']} is about another time point")
            case "absent", Not(negated):
                require(any(True for _ in solutions(inner, body, binding)), f"{node['pattern']} is not absent")
                check_absence(self.world, negated, looked_at(inner, negated, binding), binding, node)
                require(not node["premises"], "an absence has no premises")
            case "comparison", Comparison(_, left, right):
                found = [value_json(inner.m.value(term, binding)) for term in (left, right)]
                require([node["left"], node["right"]] == found, "the values of the comparison are others")
                require(entails(place, literal, binding), "the comparison does not hold")
                require(not node["premises"], "a comparison has no premises")
            case "aggregate", Aggregate():
                self._check_aggregate(inner, body, binding, node)
            case (("formula" | "some" | "always" | "at"), _) if not _is_simple(body):
                self._check_formula(place, literal, binding, node)
            case kind, _:
                raise WrongProof(f"{kind} is no reason for such a condition")

    def _check_at(self, place: Place, atom: Atom, binding: Binding, node: NodeJson) -> int:
        """The one time point of a node, at which its one premise holds."""
        (premise,) = node["premises"]
        (time,) = points(node["times"])
        self._check_atom(place, atom, binding, self.nodes[premise], time)
        return time

    def _check_atom(self, place: Place, atom: Atom, binding: Binding, node: NodeJson, time: int) -> None:
        require(node["kind"] in ATOMS, f"the node {node['id']} stands for no atom")
        fact = parse_fact(node["atom"])
        self._check_match(place, atom, binding, fact)
        if node["kind"] == "background":
            require(place.m.is_background(fact) and not place.stream.empty, f"{fact} does not hold")
            require(time in place.stream, f"{time} lies outside the window")
        else:
            require(fact in place.stream.at(time), f"{fact} does not hold at {time}, as it is seen")
            require(facts_of(node) == [(time, fact)], f"the node {node['id']} is about another time point")

    def _check_everywhere(self, place: Place, atom: Atom, binding: Binding, node: NodeJson, times: set[int]) -> None:
        covered: set[int] = set()
        for premise in node["premises"]:
            below = self.nodes[premise]
            require(below["kind"] in ATOMS, f"the node {premise} stands for no atom")
            fact = parse_fact(below["atom"])
            self._check_match(place, atom, binding, fact)
            if below["kind"] == "background":
                covered |= times
            facts = facts_of(below)
            require(all(fact in place.stream.at(time) for time, _ in facts), f"{fact} does not hold there")
            covered |= {time for time, _ in facts}
        require(covered == times, "`always` is not shown for every time point")

    @staticmethod
    def _check_match(place: Place, atom: Atom, binding: Binding, fact: Fact) -> None:
        require(atom.signature == fact.signature, f"{fact} is another atom")
        for arg, value in zip(atom.args, fact.args, strict=True):
            if not (isinstance(arg, Variable) and arg.anonymous and arg.name not in binding):
                require(place.m.value(arg, binding) == value, f"{fact} is another atom")

    # -- aggregates --------------------------------------------------------------------------------

    def _check_aggregate(self, place: Place, formula: Aggregate, binding: Binding, node: NodeJson) -> None:
        """The elements are those of the definition, each with a reason."""
        expected = _tuples(place, formula, binding)
        require(
            value_json(aggregate(formula.function, set(expected)) or 0) == node["value"],
            "the aggregate has another value",
        )
        require(any(True for _ in solutions(place, formula, binding)), "the aggregate does not hold")
        listed = [tuple(map(read_value, one["tuple"])) for one in node["elements"]]
        require(len(set(listed)) == len(listed) and set(listed) == set(expected), "the aggregate has other elements")
        premises = [premise for one in node["elements"] for premise in one["premises"]]
        require(set(premises) == set(node["premises"]), "the elements have other premises")
        for entry, one in zip(listed, node["elements"], strict=True):
            own = [instance for instance in expected[entry] if bindings_json(instance) == one["bindings"]]
            right = any(
                self._supports(place, element, instance, one, entry) for element in formula.elements for instance in own
            )
            require(right, "an element has other values, or other premises")

    def _supports(
        self,
        place: Place,
        element: AggregateElement,
        binding: Binding,
        one: Mapping[str, Any],
        entry: tuple[Value, ...],
    ) -> bool:
        try:
            if len(one["premises"]) != len(element.body):
                return False
            for literal, premise in zip(element.body, one["premises"], strict=True):
                self.check(place, literal, binding, self.nodes[premise], instance_text(literal, binding))
            return tuple(place.m.value(term, binding) for term in element.terms) == entry
        except (WrongProof, KeyError, NotANumber):
            return False

    # -- formulas ----------------------------------------------------------------------------------

    def _check_formula(self, place: Place, literal: Formula, binding: Binding, node: NodeJson) -> None:
        """Formulas that are no extended atoms: some instance of them holds by what is below."""
        claims = FormulaClaims(self.nodes, self.world)
        complaint = WrongProof("the formula does not hold")
        for solution in solutions(place, literal, binding):
            try:
                self.used |= claims.check(evidence(place, literal, solution), node)
                return
            except WrongProof as wrong:
                complaint = wrong
        raise complaint


def _tuples(place: Place, formula: Aggregate, binding: Binding) -> dict[tuple[Value, ...], list[Binding]]:
    """The tuples of an aggregate, with the values of variables that give them, also of those without a name."""
    found: dict[tuple[Value, ...], list[Binding]] = {}
    for element in formula.elements:
        for one in conjunction(place, order(element.body, frozenset(binding), names(element)), element, binding):
            try:
                entry = tuple(place.m.value(term, one) for term in element.terms)
            except NotANumber:
                continue
            found.setdefault(entry, []).append(one)
    return found


def _is_simple(body: Formula) -> bool:
    """Whether a literal is an extended atom, an aggregate or a comparison, perhaps negated."""
    match body:
        case Some(Atom()) | Always(Atom()) | At(_, Atom()) | Atom() | Not() | Comparison() | Aggregate():
            return True
    return False
