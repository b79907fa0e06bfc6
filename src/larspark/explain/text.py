"""A proof in words: an indented tree in which shared premises are told once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from larspark.explain.proof import Life, Node, Proof

WIDTH = 4


def proof_text(proof: Proof) -> str:
    """The conclusion, its proof, and its life."""
    question = proof.question
    lines = [f"{question.atom} holds at {question.time}{_since(proof)}"]
    lines += _Tree({node.id: node for node in proof.nodes}).lines(proof.nodes[0].id)
    if proof.elsewhere is not None:
        lines.append(f"({proof.elsewhere.holding} of {_count(proof.elsewhere.count, 'answer stream')} have it)")
    if proof.others:
        lines.append(f"({_count(proof.others, 'further derivation')}: --all {proof.others + 1})")
    if proof.life is not None:
        lines += life_lines(proof.life, question.time)
    return "\n".join(lines)


def _since(proof: Proof) -> str:
    if proof.life is None or proof.life.span[0] == proof.question.time:
        return ""
    return f", since {proof.life.span[0]}"


class _Tree:
    def __init__(self, nodes: Mapping[int, Node]) -> None:
        self.nodes = nodes
        self.told: set[int] = set()

    def lines(self, root: int) -> list[str]:
        return [f"{lead}{line}" for lead, line in self._below([root], "")]

    def _below(self, places: Sequence[int], indent: str) -> Iterator[tuple[str, str]]:
        for number, place in enumerate(places):
            last = number == len(places) - 1
            branch, deeper = ("└─ ", "   ") if last else ("├─ ", "│  ")
            yield indent + branch, self._told(place)
            node = self.nodes[place]
            if place not in self.told:
                self.told.add(place)
                yield from self._below(self._shown(node), indent + deeper)

    def _shown(self, node: Node) -> list[int]:
        """Arrivals under a window are told in its own line."""
        return [
            place for place in node.premises if not (self._is_leaf(place) and node.kind in ("some", "always", "at"))
        ]

    def _is_leaf(self, place: int) -> bool:
        return self.nodes[place].kind in ("input", "background", "recorded", "held")

    def _told(self, place: int) -> str:
        node = self.nodes[place]
        again = " (as above)" if place in self.told and node.premises else ""
        return f"{self._words(node)}{again}"

    def _words(self, node: Node) -> str:
        details = node.details
        match node.kind:
            case "rule":
                more = "   … more with a greater --depth" if details.get("cut") else ""
                return f"{_rule(details)}{node.text}{_bindings(details['bindings'])}{more}"
            case "input" | "background" | "recorded" | "held":
                return f"{details['atom']}{WIDTH * ' '}{leaf_words(details, node.kind)}"
            case "some" | "always" | "at":
                return f"{node.text}{WIDTH * ' '}{self._quantified(node)}"
            case "absent":
                return f"{node.text}{WIDTH * ' '}{absent_words(details)}"
            case "comparison":
                return f"{node.text}{WIDTH * ' '}{details['left']} and {details['right']}"
            case "aggregate":
                entries = [",".join(map(str, one["tuple"])) for one in details["elements"]]
                shown = "; ".join(entries[:8]) + (f"; … {len(entries)} in all" if len(entries) > 8 else "")
                return f"{node.text}{WIDTH * ' '}the value is {details['value']}, of {shown or 'nothing'}"
        return node.text

    def _quantified(self, node: Node) -> str:
        leaves = [self.nodes[place] for place in node.premises if self._is_leaf(place)]
        found = "; ".join(leaf_words(leaf.details, leaf.kind, node.kind != "always") for leaf in leaves)
        match node.kind:
            case "always":
                return f"at every point of {_window(node.details['window'])}" + (f": {found}" if found else "")
            case _:
                times = spans_words(node.details["times"])
                where = f", within {_window(node.details['window'])}" if node.details["window"]["text"] else ""
                return f"{found or f'at {times}'}{where}"


def _rule(details: Mapping[str, Any]) -> str:
    rule = details["rule"]
    place = f"rule {rule['index'] + 1}" if rule["file"] is None else f"{rule['file']}:{rule['line']}"
    return f"{place}   "


def _bindings(bindings: Mapping[str, Any]) -> str:
    return "   " + ", ".join(f"{name} = {value}" for name, value in bindings.items()) if bindings else ""


def leaf_words(details: Mapping[str, Any], kind: str, timed: bool = True) -> str:
    """`11 arrivals, lines 112-131`."""
    if kind == "background":
        return "background"
    at = f" at {spans_words(details['at'])}" if timed else ""
    if kind == "recorded":
        return f"recorded{at}, concluded at {spans_words(details['evaluations'])}"
    if kind == "held":
        return f"held{at}, arrived at {spans_words(details['arrived'])}"
    number = details["arrivals"]
    found = f"arrived{at}" if number == 1 else f"{number} arrivals{at}"
    if "lines" not in details:
        return found
    return f"{found} ({details['source']}, {_lines(details['lines'])})"


def _lines(spans: Sequence[Sequence[int]]) -> str:
    first, last = spans[0][0], spans[-1][1]
    return f"line {first}" if first == last else f"lines {first}-{last}"


def absent_words(details: Mapping[str, Any]) -> str:
    window = details["window"]
    text = f"none in {_window(window)}" if window["text"] else "none"
    near = details["nearest"]
    if near is None:
        return text
    line = f" (line {near['line']})" if "line" in near else ""
    if "differs" in near:
        return f"{text}; the nearest is {near['atom']} at {near['at']}{line}"
    left = f", left the window at {near['left']}" if "left" in near else ""
    return f"{text}; the last, {near['atom']} at {near['at']}{line}{left}"


def life_lines(life: Life, time: int) -> Iterable[str]:
    if life.endless:
        yield "It does not end by itself"
    else:
        ends = life.span[1] + 1
        kept = [f"{fact} arrives {_when(span)}" for fact, span in life.continues_with]
        yield f"It ends at {ends}{' unless ' + ' or '.join(kept) if kept else ' if nothing arrives'}"
    for pattern in life.ends_with:
        yield f"        at once if {pattern} arrives"


def _when(span: tuple[int, int]) -> str:
    return f"at {span[0]}" if span[0] == span[1] else f"in {span[0]}-{span[1]}"


def spans_words(spans: Sequence[Sequence[int]]) -> str:
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


def _window(window: Mapping[str, Any]) -> str:
    if window["to"] is None:
        return f"{window['from']} and later"
    return spans_words([[window["from"], window["to"]]])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
