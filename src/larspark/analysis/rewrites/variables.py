"""Variables of rules: which stand for time points, and how to keep those of two rules apart."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from larspark.language.traversal import substitute, variables, walk
from larspark.language.tree import At, IntervalWindow, Node, Rule, Variable


def time_variables(node: Node) -> frozenset[str]:
    """Variables that have instances for time points only: `@T …` and `[from T to U]` (thesis sec. 3.1.1)."""
    found: set[str] = set()
    for part in walk(node):
        terms = [part.time] if isinstance(part, At) else []
        terms += [part.start, part.end] if isinstance(part, IntervalWindow) else []
        found.update(term.name for term in terms if isinstance(term, Variable))
    return frozenset(found)


def names_of(node: Node) -> frozenset[str]:
    return frozenset(variable.name for variable in variables(node))


def renamed_apart(rule: Rule, taken: Iterable[str]) -> Rule:
    """The rule with other variables than those taken; `_` stays `_`."""
    used = set(taken) | names_of(rule)
    renaming = {}
    for name in sorted(names_of(rule) & set(taken)):
        renaming[name] = Variable(fresh(name, used))
        used.add(renaming[name].name)
    return substitute(rule, renaming)


def fresh(name: str, used: Iterable[str]) -> str:
    """A name like this one that is not used."""
    known = set(used)
    return next(candidate for number in count(1) if (candidate := f"{name}{number}") not in known)
