"""What is asked about two programs: a notion, the atoms that contexts may have, and how far to go."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from larspark.equivalence.setting import Setting, mentioned
from larspark.equivalence.witness import Shown
from larspark.language.facts import Fact
from larspark.language.traversal import atoms
from larspark.language.tree import Input, Program
from larspark.semantics.interpretations import Atoms


class Notion(StrEnum):
    """What may be added to both programs without making a difference (thesis Def. 22 and 27)."""

    ORDINARY = "ordinary"
    """Nothing: the same answer streams for D at t."""
    STRONG = "strong"
    """Any program."""
    UNIFORM = "uniform"
    """Any facts `@t a`; relativised when the facts are named."""
    DATA = "data"
    """Any input."""


@dataclass(frozen=True)
class Limits:
    """How far a comparison goes before it is refused."""

    atoms: int = 5_000
    """Timed atoms given to the solver."""
    refutations: int = 20_000
    """Proposals of the solver that turn out not to be minimal."""
    contexts: int = 1 << 14
    """Contexts tried one by one."""


@dataclass(frozen=True)
class EquivalenceQuestion:
    first: Program
    second: Program
    setting: Setting
    notion: Notion
    over: Atoms
    """What contexts can be made of: A of Def. 27, or the atoms of the pairs of streams (Theorem 21)."""
    shown: Shown | None
    """Compare these predicates of the answer streams only."""
    limits: Limits

    @property
    def derivable(self) -> Atoms:
        return self.setting.derivable(self.first) | self.setting.derivable(self.second)


def default_atoms(first: Program, second: Program, setting: Setting, notion: Notion) -> Atoms:
    """Everything the programs mention or, for data equivalence, what can arrive; at every time point."""
    match notion:
        case Notion.ORDINARY:
            return frozenset()
        case Notion.DATA:
            return setting.everywhere(signals(first, second, setting))
        case Notion.STRONG | Notion.UNIFORM:
            return setting.everywhere(mentioned(first, setting) | mentioned(second, setting))


def signals(first: Program, second: Program, setting: Setting) -> frozenset[Fact]:
    """What can arrive: atoms of predicates that neither program derives, or that are declared as input."""
    derived = {atom.signature for program in (first, second) for rule in program.rules for atom in atoms(rule.head)}
    declared = {d.signature for program in (first, second) for d in program.directives if isinstance(d, Input)}
    known = mentioned(first, setting) | mentioned(second, setting)
    return frozenset(fact for fact in known if fact.signature not in derived or fact.signature in declared)
