"""`h(X) :- a(X) [5].` makes `h(1) :- a(1) [3], b.` superfluous."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from larspark.analysis.rewrites.matching import Substitution, match, match_implied
from larspark.analysis.rewrites.variables import time_variables
from larspark.language.facts import Signature
from larspark.language.traversal import atoms, variables
from larspark.language.tree import Formula, Program, Rule, Variable


def drop_subsumed_rules(program: Program) -> Program:
    """Leave out a rule if another one has its head, more generally, under weaker conditions.

    A pair of streams that satisfies the general rule satisfies the special one, so the programs have the same
    bi-models and are strongly equivalent (thesis Theorem 21).
    """
    candidates = _Candidates(program)
    dropped: set[int] = set()
    for place in reversed(range(len(program.rules))):  # of two that subsume each other the first stays
        rule = program.rules[place]
        others = (other for other in candidates.of(rule) if other != place and other not in dropped)
        if any(subsumes(program.rules[other], rule) for other in others):
            dropped.add(place)
    return replace(program, rules=tuple(rule for place, rule in enumerate(program.rules) if place not in dropped))


class _Candidates:
    """The rules whose heads may match a head: equal ones, and those of the same predicates with variables."""

    def __init__(self, program: Program) -> None:
        self._equal: dict[Formula, list[int]] = defaultdict(list)
        self._variable: dict[tuple[Signature, ...], list[int]] = defaultdict(list)
        for place, rule in enumerate(program.rules):
            if any(variables(rule.head)):
                self._variable[_signatures(rule)].append(place)
            else:
                self._equal[rule.head].append(place)

    def of(self, rule: Rule) -> list[int]:
        return self._equal.get(rule.head, []) + self._variable.get(_signatures(rule), [])


def _signatures(rule: Rule) -> tuple[Signature, ...]:
    return tuple(atom.signature for atom in atoms(rule.head))


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
