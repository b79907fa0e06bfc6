"""Rules whose conclusions neither reach what is shown nor a constraint are left out."""

from __future__ import annotations

from dataclasses import replace

from larspark.analysis.rewrites.index import Index
from larspark.analysis.rewrites.observed import hidden, is_harmless
from larspark.analysis.structure.dependencies import STRICT, Dependencies
from larspark.analysis.structure.occurrences import body_occurrences, head_atoms
from larspark.language.facts import Signature
from larspark.language.tree import Program, Rule


def drop_unreachable_rules(program: Program) -> Program:
    """Drop hidden predicates that no other predicate needs.

    What is dropped must have exactly one answer stream for any data, so that it can neither choose nor contradict: no
    cycles through negation, no disjunctions, and no times that may lie outside the timeline. Then the programs are
    data equivalent for what is shown.
    """
    needed = _needed(program)
    return replace(program, rules=tuple(rule for rule in program.rules if _reaches(rule, needed)))


def _reaches(rule: Rule, needed: set[Signature]) -> bool:
    return not head_atoms(rule) or any(atom.signature in needed for atom in head_atoms(rule))


def _needed(program: Program) -> set[Signature]:
    """The predicates that are visible or not harmless, and all that they and the constraints depend on."""
    derived = {atom.signature for rule in program.rules for atom in head_atoms(rule)}
    needed = derived - _droppable(program)
    index = Index.of(program)
    agenda = [rule for rule in program.rules if _reaches(rule, needed)]
    while agenda:
        read = {found.atom.signature for found in body_occurrences(agenda.pop())} - needed
        needed |= read
        agenda += [program.rules[place] for signature in read for place in index.defining.get(signature, ())]
    return needed


def _droppable(program: Program) -> set[Signature]:
    dependencies, index = Dependencies.of(program), Index.of(program)
    found: set[Signature] = set()
    for component in dependencies.components(sorted(hidden(program))):
        rules = (program.rules[place] for signature in component for place in index.defining[signature])
        stratified = not any(edge.sign in STRICT for edge in dependencies.inside(component))
        if stratified and all(map(is_harmless, rules)):
            found |= component
    return found
