"""What is decided apart from each other in a program with several answer streams.

A set of predicates that needs no others splits a program (Lifschitz and Turner 1994): its answer streams are those of
the rules below, each extended by those of the rules above. An evaluation depends on the data alone, so this holds at
every time point. Three layers follow:

* *below*: what depends on no choice. It holds in every answer stream.
* *choices*: what is decided together, through negation in a cycle, a disjunction or a constraint. Choices that share
  only predicates of the layer below do not see each other: every combination of their outcomes is an answer stream.
* *above*: what follows from the choices and can take none of them back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from larspark.analysis.analysis import Analysis, Component, Fragment
from larspark.analysis.structure.consistency import can_leave_timeline
from larspark.analysis.structure.dependencies import STRICT
from larspark.analysis.structure.occurrences import body_occurrences, head_atoms
from larspark.language.facts import Signature
from larspark.language.tree import Or, Rule


@dataclass(frozen=True, slots=True)
class Layers:
    """The components of a program in evaluation order; a constraint is a component without predicates."""

    below: tuple[Component, ...]
    choices: tuple[Component, ...]
    """Independent of each other, each with all its rules and constraints."""
    above: tuple[Component, ...]


def layers(analysis: Analysis) -> Layers:
    """The components of a plain program, and which of them are decided together."""
    constraints = tuple(Component(frozenset(), (rule,), False) for rule in analysis.constraints)
    choosing = _choosing(analysis)
    if not choosing:
        return Layers((*analysis.components, *constraints), (), ())
    open_ = _depending(analysis, choosing)
    together = _needed(analysis, choosing, open_)
    below, inside, above = [], [], []
    for part in (*analysis.components, *constraints):
        touched = part.predicates | _read(part.rules)
        if part.predicates & together or (not part.predicates and touched & open_):
            inside.append(part)
        elif part.predicates & open_:
            above.append(part)
        else:
            below.append(part)
    return Layers(tuple(below), tuple(_groups(inside, together)), tuple(above))


def _choosing(analysis: Analysis) -> frozenset[Signature]:
    """The predicates of components in which something is chosen."""
    if analysis.fragment is not Fragment.PLAIN:
        return frozenset()
    return frozenset().union(
        *(
            part.predicates
            for part in analysis.components
            if any(edge.sign in STRICT for edge in analysis.dependencies.inside(part.predicates))
            or any(isinstance(rule.head, Or) for rule in part.rules)
        )
    )


def _depending(analysis: Analysis, choosing: frozenset[Signature]) -> frozenset[Signature]:
    """What choices decide, directly or not; components come in evaluation order."""
    found = set(choosing)
    for part in analysis.components:
        if _read(part.rules) & found:
            found |= part.predicates
    return frozenset(found)


def _needed(analysis: Analysis, choosing: frozenset[Signature], open_: frozenset[Signature]) -> frozenset[Signature]:
    """The open predicates on which a choice depends, or that can show an outcome to be none."""
    found = set(choosing)
    for rule in analysis.program.rules:
        heads = {atom.signature for atom in head_atoms(rule)}
        if not heads or can_leave_timeline(rule):
            found |= (heads | _read([rule])) & open_
    for part in reversed(analysis.components):
        if part.predicates & found:
            found |= part.predicates | (_read(part.rules) & open_)
    return frozenset(found)


def _groups(parts: Iterable[Component], together: frozenset[Signature]) -> list[Component]:
    """Components that share an undecided predicate, as one."""
    groups: list[tuple[frozenset[Signature], list[Component]]] = []
    for part in parts:
        touched = (part.predicates | _read(part.rules)) & together
        meeting = [group for group in groups if group[0] & touched]
        groups = [group for group in groups if not group[0] & touched]
        members = [member for _, members in meeting for member in members]
        groups.append((touched.union(*(shared for shared, _ in meeting)), [*members, part]))
    return [
        Component(
            frozenset().union(*(part.predicates for part in members)),
            tuple(rule for part in members for rule in part.rules),
            True,
        )
        for _, members in groups
    ]


def _read(rules: Iterable[Rule]) -> frozenset[Signature]:
    return frozenset(found.atom.signature for rule in rules for found in body_occurrences(rule))
