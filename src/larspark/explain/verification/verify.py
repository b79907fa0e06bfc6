"""Checking a proof against the definitions, whoever made it.

The answer streams at the evaluation are computed by `semantics`, and every node is compared with them: rules
with their instances, windows with what they select, absences and aggregates with entailment, arrivals with the lines
of the stream, and the ends of its life with evaluations there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from larspark.diagnostics import Diagnostic, Rejected
from larspark.explain.evaluations.world import EvaluationSetting
from larspark.explain.proofs.cone import Cone
from larspark.explain.proofs.proof import SCHEMA, fingerprint, input_details, named, read_value
from larspark.explain.verification.claims import ATOMS, NodeJson, WrongProof, facts_of, points, require
from larspark.explain.verification.elsewhere import check_elsewhere
from larspark.explain.verification.fields import check_fields
from larspark.explain.verification.graph import check_order
from larspark.explain.verification.judged import Judged, judged
from larspark.explain.verification.lifetime import check_life
from larspark.explain.verification.literals import Claims
from larspark.language.parser import parse_fact
from larspark.language.tree import Or, Rule
from larspark.language.values import NotANumber
from larspark.semantics.entailment import conjunction
from larspark.semantics.holding import held
from larspark.semantics.interpretations import Interpretation, TimedFact
from larspark.semantics.names import all_names, order, time_names
from larspark.semantics.rules import possible
from larspark.semantics.streams import Arrival
from larspark.semantics.structures import Place, Structure


def verify(proof: Mapping[str, Any], setting: EvaluationSetting) -> str | None:
    """What is wrong with a proof; None when it is right.

    `Rejected` when it is none, or a proof about another program.
    """
    question = _question(proof, setting)
    found = judged(setting, question["at"])
    complaint = f"there is no answer stream at {question['at']}"
    for stream in found.streams:
        check = _Check(proof, found, stream)
        wrong = complaint_of(check.whole)
        if wrong is None:
            return complaint_of(lambda: check_life(proof, setting)) or complaint_of(check.elsewhere)
        complaint = wrong
    return complaint


def complaint_of(check: Callable[[], None]) -> str | None:
    """What a check finds wrong; None: nothing."""
    try:
        check()
    except WrongProof as wrong:
        return str(wrong)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        return f"a field is missing or has the wrong type ({error!r})"
    except (NotANumber, Rejected) as error:
        return str(error)
    return None


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


class _Check:
    def __init__(self, proof: Mapping[str, Any], found: Judged, stream: Interpretation) -> None:
        self.proof, self.judged, self.setting = proof, found, found.setting
        self.time: int = found.time
        self.nodes: dict[int, NodeJson] = {}
        self.arrivals = self.setting.until(self.time)
        self.world = found.world(stream)
        whole = stream.stream
        m = Structure.of(
            whole,
            self.setting.background,
            now=self.time,
            environment=self.setting.environment,
            mentioning=[self.setting.program],
        )
        self.place = Place(m, whole, self.time)
        self.claims = Claims(self.nodes, self.world, self.place)

    def elsewhere(self) -> None:
        """Where there are several answer streams."""
        if "elsewhere" in self.proof:
            check_elsewhere(self.proof, self.judged, self.world)

    def whole(self) -> None:
        """All but its life and other answer streams."""
        check_fields(self.proof)
        for node in self.proof["nodes"]:
            if node["id"] in self.nodes:
                raise WrongProof(f"two nodes are called {node['id']}")
            self.nodes[node["id"]] = node
        self._check_root()
        check_order(self.nodes, self.proof["nodes"][0]["id"])
        for node in self.nodes.values():
            match node["kind"]:
                case "rule":
                    self._check_rule(node)
                case "input":
                    self._check_input(node)
                case "background":
                    require(self.place.m.is_background(parse_fact(node["atom"])), f"{node['atom']} is no background")
                case "recorded":
                    self._check_recorded(node)
                case "held":
                    self._check_held(node)
            if node["kind"] in ATOMS:
                require(node["kind"] == "rule" or not node["premises"], f"the node {node['id']} rests on nothing")
                self._check_words(node)
        require(self.claims.used >= self._literals(), "a node is the premise of nothing that it could support")
        self._check_rest()

    def _literals(self) -> set[int]:
        """The nodes about literals; each must be used where such a literal stands."""
        return {place for place, node in self.nodes.items() if node["kind"] not in ATOMS}

    def _check_root(self) -> None:
        question, root = self.proof["question"], self.proof["nodes"][0]
        asked = (question.get("about", question["at"]), parse_fact(question["atom"]))
        require(self.proof["holds"] is True, "a proof is about an atom that holds")
        require(facts_of(root) == [asked] or root["kind"] == "background", "the proof ends in another atom")
        require(parse_fact(root["atom"]) == asked[1], "the proof ends in another atom")
        require(self._is_held(asked), f"{question['atom']} does not hold")

    def _check_rest(self) -> None:
        """What is not shown: premises below the depth, and other derivations."""
        more, root = self.proof["more"], self.proof["nodes"][0]
        cut = [place for place, node in self.nodes.items() if node.get("cut")]
        require(sorted(more["cut_at_depth"]) == sorted(cut), "other nodes are cut")
        others = 0
        if root["kind"] == "rule":
            (target,) = facts_of(root)
            cone = Cone(self.world, target)
            others = sum(cone.height_of(one) < inf for one in cone.derivations.get(target, ())) - 1
        require(more["derivations"] == others, f"there are {others} further derivations")

    def _is_held(self, timed: TimedFact) -> bool:
        time, fact = timed
        return fact in self.place.stream.at(time) or self.place.m.is_background(fact)

    # -- nodes that stand for atoms ----------------------------------------------------------------

    def _check_words(self, node: NodeJson) -> None:
        first = [self.time] if node["kind"] == "background" else [time for time, _ in facts_of(node)]
        expected = self.setting.words.sentence(parse_fact(node["atom"]), first[0])
        require(node.get("words") == expected, f"in words, {node['atom']} is {expected}")

    def _check_rule(self, node: NodeJson) -> None:
        rule = self._rule(node)
        binding = {name: read_value(value) for name, value in node["bindings"].items()}
        (target,) = facts_of(node)
        where = f"the rule of node {node['id']}"
        require(node["text"] == self.setting.text_of(rule), f"{where} reads {self.setting.text_of(rule)}")
        require(self._is_held(target), f"{node['atom']} does not hold")
        require(node["at"] == [target[0]] * 2, f"{where} is about one time point")
        require(binding.keys() <= all_names([rule]), f"{where} has other variables")
        times = [binding[name] for name in time_names(rule) if name in binding]
        require(all(isinstance(one, int) and one in self.place.stream for one in times), f"{where}: no time point")
        given = set(possible(self.place, rule.head, binding))
        require(target in given, f"{where} does not give {node['atom']}")
        chosen = isinstance(rule.head, Or) and any(map(self._is_held, given - {target}))
        require(node.get("chosen", False) is chosen, f"{where} does not leave such a choice")
        if node.get("cut"):
            require(not node["premises"], "a node that is cut has no premises")
            steps = order(rule.body, frozenset(binding), all_names([rule.head]))
            instance = next(conjunction(self.place, steps, rule, binding), None)
            require(instance is not None and named(instance) == named(binding), f"{where} has no such instance")
            return
        require(len(node["premises"]) == len(rule.body), f"{where} has {len(rule.body)} conditions")
        for literal, written, premise in zip(
            rule.body, self.setting.as_written(rule).body, node["premises"], strict=True
        ):
            self.claims.condition(literal, written, binding, self.nodes[premise])

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
        file = node.get("source")
        own = [one for one in self.arrivals if one.fact == fact and one.time in times]
        own = [one for one in own if (one.place.file if one.place else None) == file]
        require({one.time for one in own} == times, f"{fact} did not arrive at all these time points")
        _check_places(node, input_details(fact, own))

    def _check_recorded(self, node: NodeJson) -> None:
        fact, times = parse_fact(node["atom"]), points(node["at"])
        for time in times:
            require(fact in self.judged.recorded.get(time, ()), f"{fact} was not recorded at {time}")
        concluded = {one for time in times for one in self.judged.recorders.get((time, fact), ())}
        claimed = points(node["evaluations"])
        again = claimed - concluded  # what lay ahead is data by then, whether or not a rule gives it once more
        require(concluded <= claimed and again <= times, f"{fact} was concluded at other evaluations")
        require(all(time < self.time for time in claimed), f"{fact} was concluded at other evaluations")

    def _check_held(self, node: NodeJson) -> None:
        fact, times = parse_fact(node["atom"]), points(node["at"])
        known = held(self.setting.holds, (Arrival(one.time, one.fact) for one in self.arrivals), self.time)
        for time in times:
            require(fact in known.get(time, ()), f"{fact} does not hold on at {time}")
        own = [one for one in self.arrivals if one.fact == fact]
        since = {max(one.time for one in own if one.time <= time) for time in times}
        arrived = input_details(fact, [one for one in own if one.time in since])
        require(node["arrived"] == arrived["at"], f"{fact} arrived at {arrived['at']}")
        _check_places(node, arrived)


def _check_places(node: NodeJson, expected: Mapping[str, Any]) -> None:
    """How often something arrived, and where that stands."""
    for name in ("arrivals", "source", "lines"):
        require(node.get(name) == expected.get(name), f"`{name}` of {node['atom']} should be {expected.get(name)}")
