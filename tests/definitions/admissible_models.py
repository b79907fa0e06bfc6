"""Models of a truth maintenance network, by definition (thesis sec. 6.2.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from larspark.reasoners.jtms.network import Justification, Node


def is_founded(rules: Iterable[Justification], model: Collection[Node]) -> bool:
    """Can the model be built up node by node, each from a rule valid in it?"""
    valid = [rule for rule in rules if _valid(rule, model)]
    derived: set[Node] = set()
    while more := {rule.head for rule in valid if derived.issuperset(rule.positive)} - derived:
        derived |= more
    return derived.issuperset(model)


def is_closed(rules: Iterable[Justification], model: Collection[Node]) -> bool:
    """Does the model contain what its valid rules demand?"""
    return all(rule.head in model for rule in rules if _valid(rule, model))


def is_admissible(rules: Collection[Justification], model: Collection[Node]) -> bool:
    """Founded and closed: an answer set (Theorem 25)."""
    return is_founded(rules, model) and is_closed(rules, model)


def _valid(rule: Justification, model: Collection[Node]) -> bool:
    return all(node in model for node in rule.positive) and not any(node in model for node in rule.negative)
