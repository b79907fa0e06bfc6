"""What stands for not choosing an atom: one that nobody sees, as the other half of a disjunction."""

from __future__ import annotations

from dataclasses import replace

from larspark.language.facts import HIDDEN
from larspark.language.tree import At, Atom, Formula, Or


def unchosen(head: Atom | At) -> Atom | At:
    """What holds where the atom is not chosen."""
    match head:
        case Atom(predicate):
            return replace(head, predicate=f"{HIDDEN}not {predicate}")
        case At(_, Atom() as atom):
            return replace(head, body=unchosen(atom))
    raise AssertionError(head)


def left_open(head: Formula) -> Atom | At | None:
    """The atom of a head that may be chosen or not; None of other heads."""
    match head:
        case Or((Atom() | At(body=Atom()) as chosen, other)) if other == unchosen(chosen):
            return chosen
    return None
