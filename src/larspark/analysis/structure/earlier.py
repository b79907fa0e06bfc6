"""Literals about earlier time points alone: what was recorded then is data, whatever is concluded now."""

from __future__ import annotations

from larspark.analysis.structure.occurrences import head_atoms
from larspark.language.clock_terms import offset_from_now
from larspark.language.extended_atoms import ExtendedAtom, Quantifier, extended_atom
from larspark.language.facts import Signature
from larspark.language.tree import Atom, Formula, IntervalWindow, Node, Program, Record


def settled_before(program: Program) -> frozenset[Signature]:
    """The recorded predicates whose past no rule can change: their conclusions are about the evaluation time."""
    recorded = {d.signature for d in program.directives if isinstance(d, Record)}
    elsewhere = {
        atom.signature for rule in program.rules if not isinstance(rule.head, Atom) for atom in head_atoms(rule)
    }
    return frozenset(recorded - elsewhere)


def looks_back(literal: Formula) -> bool:
    """`@(now-1) a`, `a [from now-3 to now-1]`, or the negation of one: no evaluation time is among its time points."""
    match extended_atom(literal):
        case ExtendedAtom(Quantifier.AT, windows=(), time=Node() as time):
            return (offset_from_now(time) or 0) < 0
        case ExtendedAtom(Quantifier.SOME, windows=(IntervalWindow(_, end),)):
            return (offset_from_now(end) or 0) < 0
    return False
