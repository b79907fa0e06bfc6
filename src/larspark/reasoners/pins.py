"""Atoms that rules pin to a time, for the reasoners that ground as they go: how far ahead, and upon which arrivals."""

from __future__ import annotations

from larspark.analysis.analysis import Analysis
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.extended_atoms import ExtendedAtom, Quantifier
from larspark.language.traversal import atoms, walk
from larspark.language.tree import UNBOUNDED, At, Atom, TimeWindow, Variable

FARTHEST_PIN = 1_000_000
"""Time points ahead of now; beyond, the program is taken to run away into the future."""


def require_near(time: int, now: int) -> None:
    """Reject a program that speaks about a time too far ahead."""
    if time > now + FARTHEST_PIN:
        message = f"A rule speaks about a time more than {FARTHEST_PIN} points ahead of {now}."
        raise Rejected([Diagnostic("E505", message, "Bound the time, for instance by a window in the rule's body.")])


def readings_below_pins(analysis: Analysis) -> tuple[ExtendedAtom, ...]:
    """The arrivals of predicates that rules also pin: what has arrived is nothing that a program adds at that time."""
    heads = (node for rule in analysis.program.rules for node in walk(rule.head))
    signatures = {atom.signature for node in heads if isinstance(node, At) for atom in atoms(node)}
    found = []
    for signature in sorted(signatures & (analysis.extensional | analysis.recorded)):
        past = analysis.retention[signature].past
        window = TimeWindow(UNBOUNDED if past is None else past)
        atom = Atom(signature.predicate, (Variable("_"),) * signature.arity)
        found.append(ExtendedAtom(Quantifier.SOME, atom, (window,)))
    return tuple(found)
