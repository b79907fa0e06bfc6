"""The notions decided with a solver, for windows that select each atom by itself."""

from __future__ import annotations

from collections.abc import Sequence

from larspark.diagnostics import Diagnostic, Rejected
from larspark.equivalence.ordering import ordered
from larspark.equivalence.pairs import pair_of_first_only, separating_context
from larspark.equivalence.propositions import PropositionalClause
from larspark.equivalence.question import EquivalenceQuestion, Notion
from larspark.equivalence.search import Facts, answer_of_first_only
from larspark.equivalence.setting import as_fact_rule
from larspark.equivalence.unfolding import unfold
from larspark.equivalence.witness import Witness, confirm
from larspark.language.traversal import walk
from larspark.language.tree import WindowNode
from larspark.semantics.interpretations import Atoms


def is_searchable(question: EquivalenceQuestion) -> bool:
    """Whether derived atoms, and for data equivalence input atoms too, do not push each other out of windows."""
    parts = (part for program in (question.first, question.second) for part in walk(program))
    data = question.notion is Notion.DATA
    return question.shown is None and not any(
        isinstance(part, WindowNode) and (part.sees_everything or (data and part.counts_arrivals)) for part in parts
    )


def search(question: EquivalenceQuestion) -> Witness | None:
    """Evidence against the equivalence, looked for in both directions."""
    universe = question.over | question.derivable
    if len(universe) > question.limits.atoms:
        raise Rejected([_too_many(len(universe), question.limits.atoms)])
    first, second = (unfold(program, question.setting, universe) for program in (question.first, question.second))
    look = _strong if question.notion is Notion.STRONG else _with_facts
    return look(question, first, second, universe, True) or look(question, second, first, universe, False)


def _strong(
    question: EquivalenceQuestion,
    this: Sequence[PropositionalClause],
    that: Sequence[PropositionalClause],
    universe: Atoms,
    of_first: bool,
) -> Witness | None:
    pair = pair_of_first_only(this, that, universe)
    if pair is None:
        return None
    right_is_model = not any(clause.violated(pair.right) for clause in that)
    claim = (pair.right, of_first is not right_is_model)
    context = separating_context(pair, right_is_model)
    return confirm(question.first, question.second, question.setting, claim, context=context)


def _with_facts(
    question: EquivalenceQuestion,
    this: Sequence[PropositionalClause],
    that: Sequence[PropositionalClause],
    universe: Atoms,
    of_first: bool,
) -> Witness | None:
    data = question.over - question.derivable if question.notion is Notion.DATA else frozenset()
    facts = Facts(optional=question.over - data, data=data)
    found = answer_of_first_only(this, that, universe, facts, question.limits.refutations)
    if found is None:
        return None
    if question.notion is Notion.DATA:
        setting, claim = question.setting.with_input(found.facts), (found.answer - found.facts, of_first)
        return confirm(question.first, question.second, setting, claim, added=ordered(found.facts))
    context = tuple(map(as_fact_rule, ordered(found.facts)))
    return confirm(question.first, question.second, question.setting, (found.answer, of_first), context=context)


def _too_many(count: int, limit: int) -> Diagnostic:
    return Diagnostic(
        "E534",
        f"The comparison speaks about {count} atoms at time points, more than the limit of {limit}.",
        "Shorten the timeline, or name fewer atoms that contexts may have.",
    )
