"""Rules that a translation writes as text where their trees would hide what they say."""

from __future__ import annotations

from dataclasses import replace

from larspark.language.parser import parse_program
from larspark.language.printing.terms import show_term
from larspark.language.traversal import rewrite
from larspark.language.tree import Rule, Term
from larspark.language.values import show_value


def written(text: str) -> list[Rule]:
    """The rules of a text, without places in it: nobody has written it."""
    return [rewrite(rule, lambda node: replace(node, origin=None)) for rule in parse_program(text).rules]


def atom(predicate: str, *args: Term | str) -> str:
    """The text of an atom; arguments are terms or their texts."""
    shown = [arg if isinstance(arg, str) else show_term(arg) for arg in args]
    name = show_value(predicate)
    return f"{name}({','.join(shown)})" if shown else name
