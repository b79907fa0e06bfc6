"""A proof in words: an indented tree in which shared premises are told once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from larspark.explain.faces.why_not_text import candidate_lines
from larspark.explain.misses.why_not import Candidate
from larspark.explain.phrasing import Phrasing, number_of
from larspark.explain.proofs.proof import Life, Proof, ProofNode, read_value

WIDTH = 4


def proof_text(proof: Proof) -> str:
    """The conclusion, its proof, and its life."""
    question, words = proof.question, proof.words
    said = f' ("{found}")' if (found := proof.nodes[0].details.get("words")) else ""
    lines = [f"{words.atom(question.fact, question.at)}{said} holds at {words.time(question.time)}{_since(proof)}"]
    lines += _Tree({node.id: node for node in proof.nodes}, words).lines(proof.nodes[0].id)
    if proof.elsewhere is not None:
        lines.append(f"({proof.elsewhere.holding} of {number_of(proof.elsewhere.count, 'answer stream')} have it)")
        for miss in proof.elsewhere.misses[:1]:
            if isinstance(miss, Candidate):
                lines += ["In one that has not:", *candidate_lines(miss, words)]
    if proof.others:
        lines.append(f"({number_of(proof.others, 'further derivation')}: --all {proof.others + 1})")
    if proof.life is not None:
        lines += life_lines(proof.life, words)
    return "\n".join(lines)


def _since(proof: Proof) -> str:
    if proof.life is None or proof.life.span[0] == proof.question.time:
        return ""
    return f", since {proof.words.time(proof.life.span[0])}"


class _Tree:
    def __init__(self, nodes: Mapping[int, ProofNode], words: Phrasing) -> None:
        self.nodes, self.words = nodes, words
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

    def _shown(self, node: ProofNode) -> list[int]:
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

    def _words(self, node: ProofNode) -> str:
        details, text = node.details, node.told or node.text
        match node.kind:
            case "rule":
                more = "   … more with a greater --depth" if details.get("cut") else ""
                said = f'   "{details["words"]}"' if "words" in details and node.id else ""
                return f"{_rule(details)}{node.text}{_values(node)}{said}{more}"
            case "input" | "background" | "recorded" | "held":
                return f"{self.words.spelled(details['atom'])}{WIDTH * ' '}{leaf_words(details, node.kind, self.words)}"
            case "some" | "always" | "at":
                return f"{text}{WIDTH * ' '}{self._quantified(node)}"
            case "absent":
                return f"{text}{WIDTH * ' '}{absent_words(details, self.words)}"
            case "comparison":
                values = node.told or f"{details['left']} and {details['right']}"
                return f"{node.text}{WIDTH * ' '}{values}"
            case "aggregate":
                entries = [",".join(map(str, one["tuple"])) for one in details["elements"]]
                shown = "; ".join(entries[:8]) + (f"; … {len(entries)} in all" if len(entries) > 8 else "")
                return f"{text}{WIDTH * ' '}the value is {details['value']}, of {shown or 'nothing'}"
        return text

    def _quantified(self, node: ProofNode) -> str:
        leaves = [self.nodes[place] for place in node.premises if self._is_leaf(place)]
        found = "; ".join(leaf_words(leaf.details, leaf.kind, self.words, node.kind != "always") for leaf in leaves)
        window = _window(node.details["window"], self.words)
        match node.kind:
            case "always":
                return f"at every point of {window}" + (f": {found}" if found else "")
            case _:
                times = self.words.spans(node.details["times"])
                where = f", within {window}" if node.details["window"]["text"] else ""
                return f"{found or f'at {times}'}{where}"


def _rule(details: Mapping[str, Any]) -> str:
    rule = details["rule"]
    place = f"rule {rule['index'] + 1}" if rule["file"] is None else f"{rule['file']}:{rule['line']}"
    return f"{place}   "


def _values(node: ProofNode) -> str:
    bindings = {name: read_value(value) for name, value in node.details["bindings"].items()}
    values = node.told or ", ".join(f"{name} = {value}" for name, value in bindings.items())
    return f"   {values}" if values else ""


def leaf_words(details: Mapping[str, Any], kind: str, words: Phrasing, timed: bool = True) -> str:
    """`11 arrivals, lines 112-131`."""
    said = f'"{details["words"]}"' if "words" in details else ""
    if kind == "background":
        return f"background: {said}" if said else "background"
    at = f" at {words.spans(details['at'])}" if timed else ""
    lead = f"{said} " if said else ""
    if kind == "recorded":
        return f"{lead}recorded{at}, concluded at {words.spans(details['evaluations'])}"
    if kind == "held":
        return f"{lead}held{at}, arrived at {words.spans(details['arrived'])}{_from(details)}"
    number = details["arrivals"]
    found = f"{lead}arrived{at}" if number == 1 else f"{number} arrivals{' of ' + said if said else ''}{at}"
    return f"{found}{_from(details)}"


def _from(details: Mapping[str, Any]) -> str:
    return f" ({details['source']}, {_lines(details['lines'])})" if "lines" in details else ""


def _lines(spans: Sequence[Sequence[int]]) -> str:
    first, last = spans[0][0], spans[-1][1]
    return f"line {first}" if first == last else f"lines {first}-{last}"


def absent_words(details: Mapping[str, Any], words: Phrasing) -> str:
    window = details["window"]
    text = f"none in {_window(window, words)}" if window["text"] else "none"
    near = details["nearest"]
    if near is None:
        return text
    line = f" ({words.line(near)})" if "line" in near else ""
    found = f"{words.spelled(near['atom'])} at {words.time(near['at'])}{line}"
    if "differs" in near:
        return f"{text}; the nearest is {found}"
    left = f", left the window at {words.time(near['left'])}" if "left" in near else ""
    return f"{text}; the last, {found}{left}"


def life_lines(life: Life, words: Phrasing) -> Iterable[str]:
    if life.endless:
        yield "It does not end by itself"
    else:
        kept = [f"{words.atom(fact)} arrives {_when(span, words)}" for fact, span in life.continues_with]
        unless = f" unless {' or '.join(kept)}" if kept else " if nothing arrives"
        yield f"It ends at {words.time(life.span[1] + 1)}{unless}"
    for pattern, other in life.ends_with:
        yield f"        at once if {'another ' if other else ''}{pattern} arrives"


def _when(span: tuple[int, int], words: Phrasing) -> str:
    return f"{'at' if span[0] == span[1] else 'in'} {words.span(*span)}"


def _window(window: Mapping[str, Any], words: Phrasing) -> str:
    if window["to"] is None:
        return f"{words.time(window['from'])} and later"
    return words.span(window["from"], window["to"])
