"""Momentary rules run over a block of arrivals, a column at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from larspark.blocks import Argument, Block, Numbers
from larspark.blocks.arguments import joined, taken
from larspark.language.facts import Signature
from larspark.reasoners.interval.engine.engine import IntervalEngine
from larspark.reasoners.interval.momentary.finding import MomentaryPart, MomentaryRule, in_order
from larspark.reasoners.interval.momentary.look_ups import LookUp
from larspark.reasoners.interval.momentary.ordering import local_variables
from larspark.reasoners.interval.momentary.values import ColumnCalculator, Values, Which, as_argument, rows_of
from larspark.reasoners.interval.network import Absence, Compare, Compute, CoreRule, Match, Operand, Relation, mentioned


@dataclass(frozen=True)
class DerivedRows:
    """Rows of a relation: from which arrivals, and their columns."""

    rows: Numbers
    columns: tuple[Values, ...]


class MomentaryRules:
    """Concludes from blocks what momentary rules say."""

    def __init__(self, engine: IntervalEngine, part: MomentaryPart) -> None:
        self._part = part
        self._order = list(in_order(part))
        calculator = ColumnCalculator(engine)
        self._rules = {
            relation: [RuleOverColumns(rule, part, calculator) for rule in rules]
            for relation, rules in part.rules.items()
        }
        self.fired: set[CoreRule] = set()
        """The rules that have concluded anything."""

    def concluded(self, block: Block) -> Iterator[Block]:
        """The conclusions from arrivals, as rows that hold at their time, in the order of time; they may repeat."""
        arrived = DerivedRows(np.arange(len(block)), (*block.arguments, block.times))
        found: dict[Relation, list[DerivedRows]] = {self._part.inputs[block.signature]: [arrived]}
        for relation in self._order:
            if relation in self._part.unrolled:
                parts = found.get(self._part.unrolled[relation], ())
                found[relation] = [DerivedRows(one.rows, (*one.columns, block.times[one.rows])) for one in parts]
                continue
            for rule in self._rules[relation]:
                for given in found.get(rule.source, ()):
                    rows = rule.run(given)
                    if len(rows.rows):
                        self.fired.add(rule.rule)
                        found.setdefault(relation, []).append(rows)
        for signature, head in self._part.heads.items():
            if found.get(head):
                yield _united(signature, found[head], block.times)


def _united(signature: Signature, parts: Sequence[DerivedRows], times: Numbers) -> Block:
    columns = [[as_argument(one) for one in part.columns] for part in parts]
    arguments: list[Argument] = [joined(own) for own in zip(*columns, strict=True)]
    rows = np.concatenate([part.rows for part in parts])
    if len(parts) > 1:
        order = np.argsort(rows, kind="stable")
        rows, arguments = rows[order], [taken(one, order) for one in arguments]
    held = times[rows]
    return Block(signature, held, tuple(arguments), held)


class RuleOverColumns:
    """One rule; what it looks up is arranged once."""

    def __init__(self, rule: MomentaryRule, part: MomentaryPart, calculator: ColumnCalculator) -> None:
        self.rule, self.source = rule.rule, rule.source.relation
        self._names, self._steps, self._calculator = rule.names, rule.steps, calculator
        known = {name for name in rule.names if name is not None}
        self._look_ups: dict[int, LookUp] = {}
        self._needed: list[set[str]] = []
        """The variables that are needed after each step."""
        for place, step in enumerate(rule.steps):
            if isinstance(step, Match | Absence):
                local = local_variables(step, self.rule) if isinstance(step, Absence) else set()
                columns = tuple(None if column in local else column for column in step.columns)
                self._look_ups[place] = LookUp(part.settled[step.relation], columns, known)
            known |= mentioned(step)
            later = {name for other in rule.steps[place + 1 :] for name in mentioned(other)}
            self._needed.append(later | {column for column in self.rule.columns if isinstance(column, str)})

    def run(self, given: DerivedRows) -> DerivedRows:
        """The rows of the head that follow from rows of the source."""
        known = {name: values for name, values in zip(self._names, given.columns, strict=True) if name is not None}
        rows = given.rows
        for place, (step, needed) in enumerate(zip(self._steps, self._needed, strict=True)):
            match step:
                case Compare(operator, left, right):
                    kept = self._compared(operator, left, right, known, len(rows))
                case Compute():
                    kept = self._computed(step, known, len(rows))
                case Absence():
                    kept = self._absent(self._look_ups[place], known, len(rows))
                case Match():
                    rows = rows[self._matched(self._look_ups[place], known, needed, len(rows))]
                    kept = None
            known = {name: values for name, values in known.items() if name in needed}
            if kept is not None and not kept.all():
                chosen = np.flatnonzero(kept)
                rows, known = rows[chosen], {name: rows_of(values, chosen) for name, values in known.items()}
            if not len(rows):
                return DerivedRows(rows, ())
        return DerivedRows(rows, tuple(self._values(column, known, len(rows)) for column in self.rule.columns))

    def _values(self, operand: Operand, known: dict[str, Values], count: int) -> Values:
        return known[operand] if isinstance(operand, str) else self._calculator.constant(operand, count)

    def _compared(
        self, operator: str, left: Operand, right: Operand, known: dict[str, Values], count: int
    ) -> Which | None:
        """Which rows a comparison leaves; an equation may give a variable its value."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one, str) and one not in known:
                known[one] = self._values(other, known, count)
                return None
        return self._calculator.compared(operator, self._values(left, known, count), self._values(right, known, count))

    def _computed(self, step: Compute, known: dict[str, Values], count: int) -> Which | None:
        given = [self._values(one, known, count) for one in step.args]
        found, defined = self._calculator.computed(step.function, given, [isinstance(one, int) for one in step.args])
        if step.target not in known:
            known[step.target] = found
            return defined
        same = self._calculator.compared("=", known[step.target], found)
        return same if defined is None else same & defined

    def _absent(self, look_up: LookUp, known: dict[str, Values], count: int) -> Which:
        found = look_up.find(lambda name: self._calculator.codes(known[name]), count)
        kept = np.ones(count, np.bool_)
        kept[found.asking] = False
        return kept

    def _matched(self, look_up: LookUp, known: dict[str, Values], needed: set[str], count: int) -> Numbers:
        """Give variables the values that are found; which rows go on, some of them several times."""
        found = look_up.find(lambda name: self._calculator.codes(known[name]), count)
        whole = len(found.asking) == count and bool((found.asking == np.arange(count)).all())
        for name in [*known]:
            values = known.pop(name)
            if name in needed:
                known[name] = values if whole else rows_of(values, found.asking)
        for name, place in look_up.new.items():
            if name in needed:
                known[name] = taken(self._calculator.coder.argument(look_up.rows[:, place]), found.given)
        return found.asking
