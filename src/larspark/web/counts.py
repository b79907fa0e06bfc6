"""What each rule has done over a recording: in how many stretches of time it gave something, and when last.

Beside every rule a marker is put that holds whenever the body does, for the arguments of the head; markers are
conclusions like others, so this is one more evaluation and exact, also where several rules give the same atom.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from larspark.diagnostics import Rejected
from larspark.language.facts import Signature
from larspark.language.tree import At, Atom, Rule, Term
from larspark.runtime.explaining import Case, history, with_program

MARKER = "larspark rule "
"""No predicate of a program can be called so without quotes."""


def rule_counts(case: Case) -> list[dict[str, Any] | None]:
    """`{"count", "last"}` for every rule, None for facts and where rules cannot be told apart."""
    program = case.prepared.program
    markers = {index: marker for index, rule in enumerate(program.rules) if (marker := _marker(index, rule))}
    found: list[dict[str, Any] | None] = [None] * len(program.rules)
    if case.reasoner != "interval":
        return found
    watched = replace(program, rules=(*program.rules, *markers.values()))
    signatures = {_signature(marker): index for index, marker in markers.items()}
    try:
        seen = history(
            with_program(case.prepared, watched), case.arrivals, (case.start, case.end), case.reasoner, set(signatures)
        )
    except Rejected:  # a marker may need a window that is only followed where it stands
        return found
    for index in markers:
        found[index] = {"count": 0, "last": None}
    for stretch in seen.stretches:
        count = found[signatures[stretch.fact.signature]]
        assert count is not None
        count["count"] += 1
        count["last"] = max(stretch.last, count["last"] or stretch.last)
    return found


def _marker(index: int, rule: Rule) -> Rule | None:
    if not rule.body:
        return None
    match rule.head:
        case Atom(args=args):
            return replace(rule, head=_head(index, args))
        case At(time, Atom(args=args)):
            return replace(rule, head=_head(index, (*args, time)))
    return None


def _head(index: int, args: tuple[Term, ...]) -> Atom:
    return Atom(f"{MARKER}{index}", args)


def _signature(rule: Rule) -> Signature:
    assert isinstance(rule.head, Atom)
    return rule.head.signature
