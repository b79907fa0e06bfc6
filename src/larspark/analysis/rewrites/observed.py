"""What of a program can be seen from outside, and must therefore stay as it is."""

from __future__ import annotations

from larspark.analysis.structure.occurrences import head_atoms
from larspark.language.facts import Signature
from larspark.language.traversal import atoms, walk
from larspark.language.tree import (
    At,
    Atom,
    Background,
    Hold,
    Input,
    Prefer,
    Program,
    Record,
    Rule,
    Show,
    Temporal,
    Variable,
    WindowNode,
)


def hidden(program: Program) -> frozenset[Signature]:
    """Derived predicates that nothing but the rules reads: no output, no directive.

    Without `#show` every conclusion is output. Window functions given in Python may look at anything.
    """
    shown: set[Signature] = set()
    for directive in program.directives:
        match directive:
            case Show(signatures):
                shown.update(signatures)
            case (
                Record(signature) | Hold(signature) | Input(signature) | Background(_, signature) | Temporal(signature)
            ):
                shown.add(signature)
            case Prefer():
                shown.update(atom.signature for atom in atoms(directive))
    if not any(isinstance(d, Show) for d in program.directives):
        return frozenset()
    if any(isinstance(part, WindowNode) and part.sees_everything for part in walk(program)):
        return frozenset()
    return frozenset(atom.signature for rule in program.rules for atom in head_atoms(rule)) - shown


def is_harmless(rule: Rule) -> bool:
    """Whether the head asks for one atom at a time point that exists, so that the rule cannot contradict anything."""
    match rule.head:
        case Atom() | At(Variable(), Atom()):
            return True
    return False
