"""Rules that never fired though what they read was there: told when all data has been seen.

They are notes, which `--strict` does not turn into errors: a day without alarms is a good day. Where a name is wrong,
what the rule reads was not there, and that is a warning (W411).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.occurrences import head_atoms
from larspark.analysis.typing.arguments import positive_atoms
from larspark.diagnostics import Diagnostic, Origin, Severity
from larspark.language.facts import Signature
from larspark.language.tree import Rule
from larspark.reasoners.protocol import Reasoner

TOLD = 10
"""So many are told one by one."""

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
        there = self._there()
        found = [
            (rule, needed)
            for rule in self.analysis.program.rules
            if rule.body and rule.origin and rule.origin not in known and not self._has_fired(rule)
            for needed in [list(dict.fromkeys(atom.signature for atom in positive_atoms(rule.body)))]
            if there.issuperset(needed)
        ]
        for rule, needed in found[:TOLD]:
            yield _finding(rule, needed)
        if more := len(found[TOLD:]):
            yield Diagnostic("W415", f"{more} more rules never fired.", "See those before.", severity=Severity.NOTE)

    def _has_fired(self, rule: Rule) -> bool:
        """A constraint that never fires is as it should be."""
        heads = head_atoms(rule)
        return not heads or any((atom.signature, rule.origin) in self.fired for atom in heads)

    def _there(self) -> set[Signature]:
        """The predicates of which there was some atom."""
        concluded = (rule for rule in self.analysis.program.rules if not rule.body or self._has_fired(rule))
        heads = (atom.signature for rule in concluded for atom in head_atoms(rule))
        return {*self.arrived, *self.analysis.background, *heads}


def _finding(rule: Rule, needed: list[Signature]) -> Diagnostic:
    there = f", though {_listed(needed)} {'was' if len(needed) == 1 else 'were'} there" if needed else ""
    atom = head_atoms(rule)[0]
    asked = f"{atom.predicate}({', '.join('…' for _ in atom.args)})" if atom.args else atom.predicate
    hint = f"`larspark why-not '{asked}' {_file(rule)} --stream … --at T` tells which part of it failed at a time."
    return Diagnostic("W415", f"This rule never fired{there}.", hint, rule.origin, Severity.NOTE)


def _file(rule: Rule) -> str:
    return rule.origin.file if rule.origin and Path(rule.origin.file).suffix else "PROGRAM"


def _listed(signatures: list[Signature]) -> str:
    *first, last = map(str, signatures)
    return f"{', '.join(first)} and {last}" if first else last
