"""`h(X) :- a(X) [5].` makes `h(1) :- a(1) [3], b.` superfluous."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from larspark.analysis.rewrites.matching import Substitution, match, match_implied
from larspark.analysis.rewrites.variables import time_variables
from larspark.language.tree import Formula, Program, Rule, Variable


def drop_subsumed_rules(program: Program) -> Program:
    """Leave out a rule if another one has its head, more generally, under weaker conditions.

    A pair of streams that satisfies the general rule satisfies the special one, so the programs have the same
    bi-models and are strongly equivalent (thesis Theorem 21).
    """
    kept = list(program.rules)
    for rule in reversed(program.rules):  # of two that subsume each other the first stays
        at = next(i for i in reversed(range(len(kept))) if kept[i] is rule)
        others = kept[:at] + kept[at + 1 :]
        if any(subsumes(other, rule) for other in others):
            kept = others
    return replace(program, rules=tuple(kept))


def subsumes(general: Rule, special: Rule) -> bool:
    """Whether a substitution makes the heads equal, and every condition of the general rule one of the special rule."""
    known = match(general.head, special.head, {})
    if known is None:
        return False
    return _body_follows(general.body, special.body, known, time_variables(general))


def _body_follows(
    weak: Sequence[Formula], strong: Sequence[Formula], known: Substitution, times: frozenset[str]
) -> bool:
    if not weak:
        # a time variable has instances for time points only, which another term need not be
        return all(isinstance(term, Variable) for name, term in known.items() if name in times)
    extensions = (match_implied(weak[0], literal, known) for literal in strong)
    return any(_body_follows(weak[1:], strong, found, times) for found in extensions if found is not None)
