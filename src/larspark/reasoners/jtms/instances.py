"""Joining the rows of relations to instances of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from larspark.language.extended_atoms import ExtendedAtom
from larspark.language.traversal import walk
from larspark.language.tree import Now, Term, Variable
from larspark.language.values import NotANumber, Value, compare
from larspark.reasoners.contents import Row
from larspark.reasoners.jtms.relations import NamedRows
from larspark.reasoners.plain import Condition, PlainRule, term_names

Evaluate: TypeAlias = Callable[[Term, Mapping[str, Value]], Value]
Binding: TypeAlias = dict[str, Value]


class NamedSource(NamedTuple):
    """A relation, and what its columns are called in a rule, each otherwise."""

    relation: NamedRows
    columns: tuple[str, ...]


class Numbered(NamedTuple):
    """A reading of a rule, with the number of what it reads."""

    number: int
    reading: ExtendedAtom


@dataclass(frozen=True)
class Check:
    """A comparison with the variables of its sides."""

    condition: Condition
    left: frozenset[str]
    right: frozenset[str]

    @classmethod
    def of(cls, condition: Condition) -> Check:
        comparison = condition.comparison
        return cls(condition, frozenset(term_names([comparison.left])), frozenset(term_names([comparison.right])))

    def outcome(self, binding: Mapping[str, Value], evaluate: Evaluate) -> Binding | None:
        """What it gives a value to, if it holds; None if not. Raises KeyError when values are missing."""
        comparison, negated = self.condition.comparison, self.condition.negated
        left_known, right_known = self.left <= binding.keys(), self.right <= binding.keys()
        if left_known and right_known:
            left, right = evaluate(comparison.left, binding), evaluate(comparison.right, binding)
            return {} if compare(comparison.operator, left, right) != negated else None
        if comparison.operator == "=" and not negated:
            if right_known and isinstance(comparison.left, Variable):
                return {comparison.left.name: evaluate(comparison.right, binding)}
            if left_known and isinstance(comparison.right, Variable):
                return {comparison.right.name: evaluate(comparison.left, binding)}
        raise KeyError(comparison)


class RulePlan:
    """A rule prepared for joining; comparisons are tried as soon as their variables have values."""

    def __init__(
        self,
        rule: PlainRule,
        level: int,
        sources: Sequence[NamedSource],
        positive: Sequence[Numbered],
        negative: Sequence[Numbered],
    ) -> None:
        self.rule = rule
        self.level = level
        self.sources = tuple(sources)
        """One per positive literal."""
        self.positive = tuple(positive)
        self.negative = tuple(negative)
        self.unchecked_times = rule.unchecked_times()
        self._checks = tuple(Check.of(literal) for literal in rule.body if isinstance(literal, Condition))
        terms = [term for head in rule.heads for term in (*head.atom.args, head.time) if term is not None]
        for check in self._checks:
            terms += [check.condition.comparison.left, check.condition.comparison.right]
        # Of several heads, one that is pinned to now is the same atom as one that holds now.
        either_way = len(rule.heads) > 1 and any(head.time is not None for head in rule.heads)
        self.uses_now = either_way or any(isinstance(part, Now) for term in terms for part in walk(term))

    def joined(
        self, evaluate: Evaluate, fixed: int | None = None, row: Row = ()
    ) -> Iterator[tuple[tuple[Row, ...], Binding]]:
        """All choices of one row per source, with that of source number `fixed` given, and the values they lead to."""
        chosen: list[Row] = [()] * len(self.sources)
        order = tuple(number for number in range(len(self.sources)) if number != fixed)
        binding: Binding = {}
        if fixed is not None:
            chosen[fixed] = row
            binding = dict(zip(self.sources[fixed].columns, row, strict=True))
        yield from self._join(order, binding, self._checks, chosen, evaluate)

    def _join(
        self,
        order: tuple[int, ...],
        binding: Binding,
        checks: tuple[Check, ...],
        chosen: list[Row],
        evaluate: Evaluate,
    ) -> Iterator[tuple[tuple[Row, ...], Binding]]:
        checked = _checked(binding, checks, evaluate)
        if checked is None:
            return
        binding, checks = checked
        if not order:
            yield tuple(chosen), binding
            return
        # The literal with most bound columns comes next: its index leaves the fewest rows.
        number = max(order, key=lambda one: sum(name in binding for name in self.sources[one].columns))
        rest = tuple(one for one in order if one != number)
        source = self.sources[number]
        for row in source.relation.matching(source.columns, binding):
            chosen[number] = row
            extended = {**binding, **dict(zip(source.columns, row, strict=True))}
            yield from self._join(rest, extended, checks, chosen, evaluate)


def _checked(
    binding: Binding, checks: tuple[Check, ...], evaluate: Evaluate
) -> tuple[Binding, tuple[Check, ...]] | None:
    """Try what can be tried; None when something is false or has no value."""
    waiting: list[Check] = []
    for number, check in enumerate(checks):
        try:
            outcome = check.outcome(binding, evaluate)
        except KeyError:
            waiting.append(check)
            continue
        except NotANumber:
            return None
        if outcome is None:
            return None
        if outcome:
            # A new value: earlier checks may have waited for it.
            return _checked({**binding, **outcome}, (*waiting, *checks[number + 1 :]), evaluate)
    return binding, tuple(waiting)
