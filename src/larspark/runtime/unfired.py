"""Rules that never fired though what they read was there: told when all data has been seen."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.occurrences import head_atoms
from larspark.analysis.typing.arguments import positive_atoms
from larspark.diagnostics import Diagnostic, Origin, Severity
from larspark.language.facts import Signature
from larspark.language.tree import Rule
from larspark.reasoners.protocol import Reasoner

FiredRules: TypeAlias = Collection[tuple[Signature, Origin]]
"""What was concluded, and where the rule is written."""


def fired_rules(reasoner: Reasoner) -> FiredRules | None:
    """The rules that have concluded anything; None: the reasoner does not tell."""
    from larspark.reasoners.interval import IntervalReasoner  # noqa: PLC0415 - loads kernels

    return reasoner.engine.fired if isinstance(reasoner, IntervalReasoner) else None


@dataclass(frozen=True)
class Unfired:
    """What never held in a run."""

    analysis: Analysis
    fired: FiredRules
    arrived: Collection[Signature]

    def findings(self) -> Iterator[Diagnostic]:
        """A rule whose body needs what never was there is not told: its cause is told already."""
        known = {one.origin for one in self.analysis.diagnostics if one.code == "W206"}
        for rule in self.analysis.program.rules:
            if rule.origin in known or not rule.body or not rule.origin or self._has_fired(rule):
                continue
            needed = dict.fromkeys(atom.signature for atom in positive_atoms(rule.body))
            if all(map(self._was_there, needed)):
                yield _finding(rule, rule.origin, list(needed))

    def _has_fired(self, rule: Rule) -> bool:
        """A constraint that never fires is as it should be."""
        heads = head_atoms(rule)
        return not heads or any((atom.signature, rule.origin) in self.fired for atom in heads)

    def _was_there(self, signature: Signature) -> bool:
        concluding = (rule for rule in self.analysis.program.rules if signature in _concluded(rule))
        given = signature in self.arrived or signature in self.analysis.background
        return given or any(not rule.body or self._has_fired(rule) for rule in concluding)


def _concluded(rule: Rule) -> set[Signature]:
    return {atom.signature for atom in head_atoms(rule)}


def _finding(rule: Rule, origin: Origin, needed: list[Signature]) -> Diagnostic:
    there = f", though {_listed(needed)} {'was' if len(needed) == 1 else 'were'} there" if needed else ""
    atom = head_atoms(rule)[0]
    asked = f"{atom.predicate}({', '.join('…' for _ in atom.args)})" if atom.args else atom.predicate
    hint = f"`larspark why-not '{asked}' {origin.file} --stream … --at T` tells which part of it failed at a time."
    return Diagnostic("W415", f"This rule never fired{there}.", hint, origin, Severity.WARNING)


def _listed(signatures: list[Signature]) -> str:
    *first, last = map(str, signatures)
    return f"{', '.join(first)} and {last}" if first else last
