"""Checking what a proof says about the conditions of a rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from larspark.explain.proofs.proof import read_value, value_json
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
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
    Windowed,
)
from larspark.language.values import Value
from larspark.semantics.aggregates import aggregate
from larspark.semantics.entailment import conjunction, entails, solutions, windowed
from larspark.semantics.horizon import instants
from larspark.semantics.interpretations import TimedFact
from larspark.semantics.names import names, order
from larspark.semantics.structures import Binding, Place

ATOMS = ("rule", "input", "background", "recorded", "held")
"""The kinds of nodes that stand for atoms."""


class WrongProof(Exception):
    """A claim of a proof that is not right."""


@dataclass
class Claims:
    """The nodes of a proof about literals, seen from one evaluation."""

    nodes: Mapping[int, Mapping[str, Any]]
    root: Place
    used: set[int] = field(default_factory=set)
    """Those that stand where such a literal stands."""

    def facts(self, node: Mapping[str, Any]) -> list[TimedFact]:
        """The atoms that a node stands for, with their times; background has none of its own."""
        fact = parse_fact(node["atom"])
        match node["kind"]:
            case "rule":
                return [(node["at"][0], fact)]
            case "input" | "recorded" | "held":
                return [(time, fact) for first, last in node["at"] for time in range(first, last + 1)]
            case "background":
                return []
        raise WrongProof(f"the node {node['id']} stands for no atom")

    def is_held(self, timed: TimedFact) -> bool:
        time, fact = timed
        return fact in self.root.stream.at(time) or self.root.m.is_background(fact)

    def check(self, place: Place, literal: Formula, binding: Binding, node: Mapping[str, Any]) -> None:
        """The node says why the literal holds, and is right."""
        inner, body, in_window = place, literal, False
        while isinstance(body, Windowed | Reset):
            if isinstance(body, Windowed):
                inner, body, in_window = windowed(inner, body.window, binding), body.body, True
            else:
                inner, body, in_window = inner.on(inner.m.stream), body.body, False
        if isinstance(body, Atom) and not in_window:
            self._check_atom(inner, body, binding, node, inner.time)
            return
        self.used.add(node["id"])
        match node["kind"], body:
            case "some", Some(Atom() as atom):
                self._check_window(inner, node)
                (premise,) = node["premises"]
                (time,) = points(node["times"])
                self._check_atom(inner, atom, binding, self.nodes[premise], time)
            case "always", Always(Atom() as atom):
                self._check_window(inner, node)
                everywhere = set(instants(inner, atom, binding))
                require(points(node["times"]) == everywhere and bool(everywhere), "`always` has other time points")
                self._check_everywhere(inner, atom, binding, node, everywhere)
            case "at", At(term, Atom() as atom):
                self._check_window(inner, node)
                (premise,) = node["premises"]
                (time,) = points(node["times"])
                unknown = isinstance(term, Variable) and term.name not in binding
                require(unknown or inner.m.value(term, binding) == time, "`@` is about another time point")
                self._check_atom(inner, atom, binding, self.nodes[premise], time)
            case "at", Atom() as atom:
                self._check_window(inner, node)
                (premise,) = node["premises"]
                self._check_atom(inner, atom, binding, self.nodes[premise], inner.time)
            case "absent", Not(negated):
                self._check_absent(inner, negated, binding, node)
            case "comparison", Comparison(_, left, right):
                found = [value_json(inner.m.value(term, binding)) for term in (left, right)]
                require([node["left"], node["right"]] == found, "the values of the comparison are others")
                require(entails(place, literal, binding), "the comparison does not hold")
            case "aggregate", Aggregate():
                self._check_aggregate(inner, body, binding, node)
            case (("formula" | "some" | "always" | "at"), _) if not _is_simple(body):
                self._check_formula(place, literal, binding, node)
            case kind, _:
                raise WrongProof(f"{kind} is no reason for such a condition")

    def _check_window(self, place: Place, node: Mapping[str, Any]) -> None:
        window = node["window"]
        found = [place.stream.start, place.stream.end]
        require([window["from"], window["to"]] == found, f"the window of node {node['id']} is {found}")

    def _check_atom(self, place: Place, atom: Atom, binding: Binding, node: Mapping[str, Any], time: int) -> None:
        require(node["kind"] in ATOMS, f"the node {node['id']} stands for no atom")
        fact = parse_fact(node["atom"])
        self._check_match(place, atom, binding, fact)
        if node["kind"] == "background":
            require(place.m.is_background(fact) and not place.stream.empty, f"{fact} does not hold")
            require(time in place.stream, f"{time} lies outside the window")
        else:
            require(fact in place.stream.at(time), f"{fact} does not hold at {time}, as it is seen")
            require(self.facts(node) == [(time, fact)], f"the node {node['id']} is about another time point")

    def _check_everywhere(
        self, place: Place, atom: Atom, binding: Binding, node: Mapping[str, Any], times: set[int]
    ) -> None:
        covered: set[int] = set()
        for premise in node["premises"]:
            below = self.nodes[premise]
            require(below["kind"] in ATOMS, f"the node {premise} stands for no atom")
            fact = parse_fact(below["atom"])
            self._check_match(place, atom, binding, fact)
            if below["kind"] == "background":
                covered |= times
            facts = self.facts(below)
            require(all(fact in place.stream.at(time) for time, _ in facts), f"{fact} does not hold there")
            covered |= {time for time, _ in facts}
        require(covered == times, "`always` is not shown for every time point")

    @staticmethod
    def _check_match(place: Place, atom: Atom, binding: Binding, fact: Fact) -> None:
        require(atom.signature == fact.signature, f"{fact} is another atom")
        for arg, value in zip(atom.args, fact.args, strict=True):
            if not (isinstance(arg, Variable) and arg.anonymous and arg.name not in binding):
                require(place.m.value(arg, binding) == value, f"{fact} is another atom")

    def _check_absent(self, place: Place, negated: Formula, binding: Binding, node: Mapping[str, Any]) -> None:
        require(any(True for _ in solutions(place, Not(negated), binding)), f"{node['pattern']} is not absent")
        inner, body = place, negated
        while isinstance(body, Windowed):
            inner, body = windowed(inner, body.window, binding), body.body
        self._check_window(inner, node)
        if node["nearest"] is not None:
            found = (node["nearest"]["at"], parse_fact(node["nearest"]["atom"]))
            require(self.is_held(found), f"{found[1]} does not hold at {found[0]}")

    def _check_aggregate(self, place: Place, formula: Aggregate, binding: Binding, node: Mapping[str, Any]) -> None:
        """The elements are those of the definition, each with a reason."""
        expected: set[tuple[Value, ...]] = set()
        for element in formula.elements:
            for one in conjunction(place, order(element.body, frozenset(binding), names(element)), element, binding):
                try:
                    expected.add(tuple(place.m.value(term, one) for term in element.terms))
                except ArithmeticError:
                    continue
        require(
            value_json(aggregate(formula.function, expected) or 0) == node["value"], "the aggregate has another value"
        )
        require(any(True for _ in solutions(place, formula, binding)), "the aggregate does not hold")
        listed = [tuple(map(read_value, one["tuple"])) for one in node["elements"]]
        require(len(set(listed)) == len(listed) and set(listed) == expected, "the aggregate has other elements")
        premises = [premise for one in node["elements"] for premise in one["premises"]]
        require(set(premises) == set(node["premises"]), "the elements have other premises")
        for entry, one in zip(listed, node["elements"], strict=True):
            own = {**binding, **{name: read_value(value) for name, value in one["bindings"].items()}}
            require(any(self._supports(place, element, own, one, entry) for element in formula.elements), "no element")

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
                self.check(place, literal, binding, self.nodes[premise])
            return tuple(place.m.value(term, binding) for term in element.terms) == entry
        except (WrongProof, KeyError, ArithmeticError):
            return False

    def _check_formula(self, place: Place, literal: Formula, binding: Binding, node: Mapping[str, Any]) -> None:
        """Formulas that are no extended atoms: they hold, and so does everything that is said to be below them."""
        require(any(True for _ in solutions(place, literal, binding)), "the formula does not hold")
        for premise in node["premises"]:
            below = self.nodes[premise]
            if below["kind"] in ATOMS:
                require(all(map(self.is_held, self.facts(below))), f"{below['atom']} does not hold")
            else:
                self._mark(below)

    def _mark(self, node: Mapping[str, Any]) -> None:
        """The parts of a formula stand where the formula stands."""
        self.used.add(node["id"])
        for premise in node["premises"]:
            if self.nodes[premise]["kind"] not in ATOMS:
                self._mark(self.nodes[premise])


def _is_simple(body: Formula) -> bool:
    """Whether a literal is an extended atom, an aggregate or a comparison, perhaps negated."""
    match body:
        case Some(Atom()) | Always(Atom()) | At(_, Atom()) | Atom() | Not() | Comparison() | Aggregate():
            return True
    return False


def require(condition: bool, complaint: str) -> None:
    if not condition:
        raise WrongProof(complaint)


def points(spans: Iterable[tuple[int, int]]) -> set[int]:
    return {point for first, last in spans for point in range(first, last + 1)}
