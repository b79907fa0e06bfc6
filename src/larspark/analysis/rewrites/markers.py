"""Markers beside rules: conclusions of their own that hold whenever a rule's body does, for the arguments of its head.

So what a rule gives can be told apart from what other rules give of the same atoms, by any reasoner and exactly.
"""

from __future__ import annotations

from dataclasses import replace

from larspark.language.tree import At, Atom, Rule

MARKER = "larspark rule "
"""No predicate of a program can be called so without quotes."""


def marker(rule: Rule, name: str) -> Rule | None:
    """A rule for the marker of this name; None for facts and constraints, which are not counted."""
    if not rule.body:
        return None
    match rule.head:
        case Atom(args=args):
            return replace(rule, head=Atom(f"{MARKER}{name}", args))
        case At(time, Atom(args=args)):
            return replace(rule, head=Atom(f"{MARKER}{name}", (*args, time)))
    return None
