"""One-way matching: which substitution turns a pattern into a given literal or head."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from larspark.analysis.rewrites.comparisons import bound, is_tighter
from larspark.analysis.rewrites.implication import seen, shows_more
from larspark.language.traversal import variables
from larspark.language.tree import Aggregate, Formula, Node, Not, Term, Variable

Substitution = Mapping[str, Term]


def match_implied(weak: Formula, strong: Formula, known: Substitution) -> Substitution | None:
    """A substitution θ ⊇ known such that θ(weak) follows from the strong literal."""
    loose, tight = bound(weak), bound(strong)
    if loose and tight:
        return match(loose.term, tight.term, known) if is_tighter(tight, loose) else None
    one, other = seen(weak), seen(strong)
    if one is None or other is None or (one.time is not None and other.time is None):
        return match(weak, strong, known)
    if not shows_more(other._replace(time=None), one._replace(time=None)):
        return None
    timed = match(one.time, other.time, known) if one.time is not None and other.time is not None else known
    return None if timed is None else match(one.atom, other.atom, timed)


def match(pattern: Node, target: Node, known: Substitution, *, negated: bool = False) -> Substitution | None:
    """A substitution θ ⊇ known with θ(pattern) = target.

    Under a negation `_` means "none at all", so it matches only another `_`, and nothing else does. The variables
    of an aggregate may be local to it: it matches only itself.
    """
    if isinstance(pattern, Variable):
        return _bind(pattern, target, known, negated=negated)
    if type(pattern) is not type(target):
        return None
    if isinstance(pattern, Aggregate):
        return _itself(pattern, known) if pattern == target else None
    for field in dataclasses.fields(pattern):
        if not field.compare:
            continue
        left, right = getattr(pattern, field.name), getattr(target, field.name)
        below = negated or isinstance(pattern, Not)
        pairs = _pairs(left, right)
        if pairs is None:
            if left != right:
                return None
            continue
        for one, other in pairs:
            extended = match(one, other, known, negated=below)
            if extended is None:
                return None
            known = extended
    return known


def _pairs(left: object, right: object) -> list[tuple[Node, Node]] | None:
    """The nodes of two fields beside each other; None if the fields have to be equal as they are."""
    if isinstance(left, Node) and isinstance(right, Node):
        return [(left, right)]
    if not isinstance(left, tuple) or not isinstance(right, tuple) or len(left) != len(right):
        return None
    return list(zip(left, right, strict=True)) if all(isinstance(p, Node) for p in (*left, *right)) else None


def _bind(variable: Variable, target: Node, known: Substitution, *, negated: bool) -> Substitution | None:
    if not isinstance(target, Term):
        return None
    if negated and (variable.anonymous or (isinstance(target, Variable) and target.anonymous)):
        both = variable.anonymous and isinstance(target, Variable) and target.anonymous
        if not both:
            return None
    if variable.name in known:
        return known if known[variable.name] == target else None
    return {**known, variable.name: target}


def _itself(pattern: Node, known: Substitution) -> Substitution | None:
    for variable in variables(pattern):
        if known.get(variable.name, variable) != variable:
            return None
        known = {**known, variable.name: variable}
    return known
