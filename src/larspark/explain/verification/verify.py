"""Checking a proof against the definitions, whoever made it.

The answer streams at the evaluation are computed by `semantics`, and every node is compared with them: rules
with their instances, windows with what they select, absences and aggregates with entailment, arrivals with the lines
of the stream, and the ends of its life with evaluations there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.evaluations.history import spans_of
from larspark.explain.evaluations.world import EvaluationSetting
from larspark.explain.proofs.proof import SCHEMA, fingerprint, read_value
from larspark.explain.verification.judged import answer_streams
from larspark.explain.verification.lifetime import wrong_life
from larspark.explain.verification.literals import Claims, WrongProof, points, require
from larspark.language.facts import Fact
from larspark.language.parser import parse_fact
from larspark.language.tree import Rule
from larspark.language.values import NotANumber
from larspark.semantics.holding import held
from larspark.semantics.interpretations import Interpretation
from larspark.semantics.names import time_names
from larspark.semantics.rules import possible
from larspark.semantics.streams import Arrival
from larspark.semantics.structures import Place, Structure

NodeJson = Mapping[str, Any]


def verify(proof: Mapping[str, Any], setting: EvaluationSetting) -> str | None:
    """What is wrong with a proof; None when it is right.

    `Rejected` when it is none, or a proof about another program.
    """
    question = _question(proof, setting)
    streams, recorded = answer_streams(setting, question["at"])
    complaint = f"there is no answer stream at {question['at']}"
    for stream in streams:
        found = _Check(proof, setting, stream, recorded).complaint()
        if found is None:
            return wrong_life(proof, setting)
        complaint = found
    return complaint


def _question(proof: Mapping[str, Any], setting: EvaluationSetting) -> Mapping[str, Any]:
    match proof:
        case {"schema": str(schema), "question": {"ask": "why", "atom": str(), "at": int()}, "nodes": [*_]}:
            if schema != SCHEMA:
                raise Rejected([Diagnostic("E562", f"The proof has the schema {schema}, not {SCHEMA}.", _MAKE)])
            if proof.get("program") != fingerprint(setting.program):
                raise Rejected(
                    [Diagnostic("E562", "The proof is about another program, or another state of it.", _MAKE)]
                )
            question: Mapping[str, Any] = proof["question"]
            return question
    raise Rejected([Diagnostic("E562", "The file holds no proof.", _MAKE)])


_MAKE = "Make it with `larspark why … --format json`, with the program and the options that it is verified with."


@dataclass
class _Check:
    proof: Mapping[str, Any]
    setting: EvaluationSetting
    stream: Interpretation
    recorded: Mapping[int, frozenset[Fact]]

    def __post_init__(self) -> None:
        self.time: int = self.proof["question"]["at"]
        self.nodes: dict[int, NodeJson] = {}
        self.arrivals = self.setting.until(self.time)

    def complaint(self) -> str | None:
        try:
            self._check()
        except WrongProof as wrong:
            return str(wrong)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            return f"a field is missing or has the wrong type ({error!r})"
        except (NotANumber, Rejected) as error:
            return str(error)
        return None

    def _check(self) -> None:
        for node in self.proof["nodes"]:
            if node["id"] in self.nodes:
                raise WrongProof(f"two nodes are called {node['id']}")
            self.nodes[node["id"]] = node
        stream = self.stream.stream
        m = Structure.of(
            stream,
            self.setting.background,
            now=self.time,
            environment=self.setting.environment,
            mentioning=[self.setting.program],
        )
        self.place = Place(m, stream, self.time)
        self.claims = Claims(self.nodes, self.place)
        self._check_root()
        self._check_order(self.proof["nodes"][0]["id"])
        for node in self.nodes.values():
            match node["kind"]:
                case "rule":
                    self._check_rule(node)
                case "input":
                    self._check_input(node)
                case "background":
                    require(m.is_background(parse_fact(node["atom"])), f"{node['atom']} is no background")
                case "recorded":
                    self._check_recorded(node)
                case "held":
                    self._check_held(node)
        require(self.claims.used >= self._literals(), "a node is the premise of nothing that it could support")

    def _literals(self) -> set[int]:
        """The nodes about literals; each must be used where such a literal stands."""
        return {
            place
            for place, node in self.nodes.items()
            if node["kind"] in ("some", "always", "at", "absent", "comparison", "aggregate", "formula")
        }

    def _check_root(self) -> None:
        question, root = self.proof["question"], self.proof["nodes"][0]
        asked = (question.get("about", question["at"]), parse_fact(question["atom"]))
        require(self.proof["holds"] is True, "a proof is about an atom that holds")
        require(self.claims.facts(root) == [asked] or root["kind"] == "background", "the proof ends in another atom")
        require(parse_fact(root["atom"]) == asked[1], "the proof ends in another atom")
        require(self.claims.is_held(asked), f"{question['atom']} does not hold")

    def _check_order(self, root: int) -> None:
        """No node rests on itself, every premise is there, and no node is left over."""
        done: set[int] = set()
        path: list[tuple[int, Iterator[int]]] = []
        open_: set[int] = set()

        def enter(place: int) -> None:
            require(place in self.nodes, f"the premise {place} is missing")
            require(place not in open_, f"the node {place} rests on itself")
            if place not in done:
                open_.add(place)
                path.append((place, iter(self.nodes[place]["premises"])))

        enter(root)
        while path:
            place, premises = path[-1]
            following = next(premises, None)
            if following is not None:
                enter(following)
            else:
                path.pop()
                open_.discard(place)
                done.add(place)
        require(done == set(self.nodes), "a node is the premise of nothing")

    # -- nodes that stand for atoms ----------------------------------------------------------------

    def _check_rule(self, node: NodeJson) -> None:
        rule = self._rule(node)
        binding = {name: read_value(value) for name, value in node["bindings"].items()}
        (target,) = self.claims.facts(node)
        where = f"the rule of node {node['id']}"
        require(self.claims.is_held(target), f"{node['atom']} does not hold")
        require(node["at"] == [target[0]] * 2, f"{where} is about one time point")
        if node.get("cut"):
            require(not node["premises"], "a node that is cut has no premises")
            return
        times = [binding[name] for name in time_names(rule) if name in binding]
        require(all(isinstance(one, int) and one in self.place.stream for one in times), f"{where}: no time point")
        require(target in set(possible(self.place, rule.head, binding)), f"{where} does not give {node['atom']}")
        require(len(node["premises"]) == len(rule.body), f"{where} has {len(rule.body)} conditions")
        for literal, premise in zip(rule.body, node["premises"], strict=True):
            self.claims.check(self.place, literal, binding, self.nodes[premise])

    def _rule(self, node: NodeJson) -> Rule:
        name = node["rule"]
        index: int = name["index"]
        require(0 <= index < len(self.setting.program.rules), f"there is no rule {index}")
        rule = self.setting.program.rules[index]
        origin = (rule.origin.file, rule.origin.line) if rule.origin else (None, None)
        require(origin == (name["file"], name["line"]), f"the rule stands in {origin[0]}:{origin[1]}")
        return rule

    def _check_input(self, node: NodeJson) -> None:
        fact, times = parse_fact(node["atom"]), points(node["at"])
        own = [one for one in self.arrivals if one.fact == fact and one.time in times]
        if "source" in node:
            own = [one for one in own if one.place is not None and one.place.file == node["source"]]
            lines = spans_of(one.place.line for one in own if one.place is not None)
            require([list(span) for span in lines] == node["lines"], f"{fact} stands in other lines")
        else:
            own = [one for one in own if one.place is None]
        require({one.time for one in own} == times, f"{fact} did not arrive at all these time points")
        require(len(own) == node["arrivals"], f"{fact} arrived {len(own)} times")

    def _check_recorded(self, node: NodeJson) -> None:
        fact = parse_fact(node["atom"])
        for time in points(node["at"]):
            require(fact in self.recorded.get(time, ()), f"{fact} was not recorded at {time}")

    def _check_held(self, node: NodeJson) -> None:
        fact = parse_fact(node["atom"])
        known = held(self.setting.holds, (Arrival(one.time, one.fact) for one in self.arrivals), self.time)
        arrived = {one.time for one in self.arrivals if one.fact == fact}
        require(points(node["arrived"]) <= arrived, f"{fact} did not arrive at all these time points")
        for time in points(node["at"]):
            require(fact in known.get(time, ()), f"{fact} does not hold on at {time}")
