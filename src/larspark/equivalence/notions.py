"""Are two ground programs equivalent? Decided for data, a time point and an alphabet (thesis Def. 22 and 27)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from larspark.equivalence.by_enumeration import enumerate_contexts
from larspark.equivalence.by_search import is_searchable, search
from larspark.equivalence.question import EquivalenceQuestion, Limits, Notion, default_atoms
from larspark.equivalence.setting import Setting, require_ground
from larspark.equivalence.witness import Shown, Witness
from larspark.language.tree import Program
from larspark.semantics.interpretations import Atoms

__all__ = ["Limits", "Method", "Notion", "Verdict", "compare"]

LIMITS = Limits()


class Method(StrEnum):
    SEARCH = "search"
    """A solver."""
    ENUMERATION = "enumeration"
    """Every context is tried on the judge."""


@dataclass(frozen=True)
class Verdict:
    """The answer, and the bound for which it holds."""

    question: EquivalenceQuestion
    method: Method
    witness: Witness | None
    """Why not."""

    @property
    def equivalent(self) -> bool:
        return self.witness is None


def compare(
    first: Program,
    second: Program,
    setting: Setting,
    notion: Notion,
    *,
    over: Atoms | None = None,
    shown: Shown | None = None,
    method: Method | None = None,
    limits: Limits = LIMITS,
) -> Verdict:
    """Decide a notion for D at t.

    `over` says which atoms contexts may have, and where; by default every atom that the programs mention or, for
    data equivalence, that can be input, at every time point. `shown` compares only these predicates of the answer
    streams; it has no meaning for strong equivalence.
    """
    require_ground(first, second)
    if over is None or notion is Notion.ORDINARY:
        over = default_atoms(first, second, setting, notion)
    question = EquivalenceQuestion(first, second, setting, notion, over, shown, limits)
    method = method or (Method.SEARCH if is_searchable(question) else Method.ENUMERATION)
    decide = search if method is Method.SEARCH else enumerate_contexts
    return Verdict(question, method, decide(question))
