"""When truth maintenance searches too long, clingo finds a model of the same ground rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from larspark.reasoners.clingo.adapter import ParsedProgram, Solver, ground_atom
from larspark.reasoners.jtms.network import Justification, Node


def answer_set(rules: Iterable[Justification], forbidden: Iterable[Node]) -> Collection[Node] | None:
    """An answer set of the rules without the forbidden nodes; None when there is none."""
    rules = list(rules)
    number = {node: place for place, node in enumerate(dict.fromkeys(node for rule in rules for node in rule.atoms()))}
    nodes = list(number)
    lines = [_text(rule, number) for rule in rules]
    lines += [f":- n({number[node]})." for node in forbidden if node in number]
    model = next(Solver(ParsedProgram("\n".join(lines)), {}, 0).models(1), None)
    return None if model is None else {nodes[int(ground_atom(atom).args[0])] for atom in model}


def _text(rule: Justification, number: dict[Node, int]) -> str:
    body = [f"n({number[node]})" for node in rule.positive] + [f"not n({number[node]})" for node in rule.negative]
    return f"n({number[rule.head]}) :- {', '.join(body)}." if body else f"n({number[rule.head]})."
