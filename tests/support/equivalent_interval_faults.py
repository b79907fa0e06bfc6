"""Seeded faults of the interval reasoner that change no answer, each with the reason."""

from __future__ import annotations

INTERVAL = {
    "interval/state/dictionary.py::Dictionary.translate: the condition is always true in if self._spellings is None:": (
        "values one by one instead of by their spellings"
    ),
    "interval/lowering/lower_aggregates.py::AggregateLowering.ranked: the condition is always true in if key "
    "not in rule.views.lists:": ("the same list a second time"),
    "interval/lowering/sources.py::Sources._now: the condition is never true in if reading.quantifier is not "
    "Quantifier.AT and selected.sliding:": ("what holds now is looked at time point by time point"),
    "interval/lowering/window_conditions.py::WindowConditions._code: the condition is never true in if not "
    "isinstance(term, Constant):": ("bounds that are no constants are conditions of the rule, and do not come here"),
    "interval/state/tables.py::widest_call: 0 becomes 1 in return max((len(part.args) for rule in rules for "
    "part in rule.body if isinstance(part, Compute)), default=0)": ("more room than is needed"),
    "interval/engine/log.py::InputLog._gather: 1 becomes 2 in rows = np.array(numbers, np.int64).reshape(-1, "
    "signature.arity + 2)": ("any negative size stands for the one that follows from the others"),
    "interval/operators/counting.py::key_width: 0 becomes 1 in return next((len(keys) for keys in (node.keys "
    "or {}).values()), 0)": ("a key more, which is the same for all"),
    "interval/answers/answers.py::_exchange: the condition is always true in target |= facts - back if back "
    "else facts": ("facts without none of them"),
    "interval/engine/evaluation.py::StreamEvaluation._evaluated: the condition is always true in if "
    "arrivals.earliest <= self.over(until):": ("what is in time is kept anyway"),
    "interval/engine/engine.py::IntervalEngine.step: the condition is never true in if rounds is not None and "
    "until > self.time and self.tables.profile is None:": (
        "all parts are evaluated at first, as they are where somebody measures"
    ),
    "interval/engine/inertia.py::_one_back: 1 becomes 2 in and (node.past, node.future, node.hop, node.always)"
    " == (1, -1, 1, False) (2)": ("states are followed in rounds instead of key by key"),
    "interval/operators/exact_groups.py::GroupElements.advance: Sub becomes Add in course.end(self.next_event - 1)": (
        "what is published beyond the next event is taken back when that is followed, before anybody looks"
    ),
    "interval/lowering/now_parts.py::_local: the condition is never true in if not isinstance(part, Absence):": (
        "what occurs in one comparison or computation alone is its own result"
    ),
    "interval/engine/stepping.py::StepState.apply: the condition is always true in if len(gained) or len(lost):": (
        "nothing is gained or lost"
    ),
    "interval/lowering/shared_relations.py::SharedRelations._operated: the condition is always true in if key not"
    " in self._made:": ("a view more, with the same content"),
    "interval/state/texts.py::Texts.numbers: 1 becomes 2 in self._grow(int(new * others) + 1, int(new * "
    "content_left) + int(ends[done + 1] - ends[done]))": ("more room than is needed"),
    "interval/lowering/views.py::Views.list_pins: 1 becomes 2 in chain = Chain(times=((retention.past, 0, 1),))": (
        "what is pinned to the evaluation time is shown as holding now, in the data or not"
    ),
    "interval/lowering/lower_rules.py::RuleLowering._seen_once: the condition is always true in if not nameless "
    "or self.views.given.endless(reading):": ("all values instead of whether there are any"),
    "interval/operators/selecting.py::KeptArrivals.selections: Gt becomes GtE in if self._forgetting and "
    "len(self._arrivals) > self._enough:": ("what is left behind is forgotten sooner"),
    "interval/state/tables.py::Tables.compact: the condition is always true in if self.crowded:": (
        "results of arithmetic are forgotten sooner"
    ),
    "interval/operators/counting.py::counted: 1 becomes 2 in rows[own, arity], rows[own, arity + 1] = "
    "(batch.places + first) << 1, batch.times << 1": ("numbers with gaps between them"),
    "interval/operators/aggregation.py::Aggregation._corrected: minus is dropped in absorb(keys, late, -FOREVER)": (
        "only the groups are read, whatever their intervals"
    ),
    "interval/operators/exact_groups.py::ExactGroups.change: the condition is always true in if before != now:": (
        "what is the same differs in nothing"
    ),
    "interval/operators/holding.py::Holding.window: 0 becomes 1 in return [HOLDING, self._target, "
    "*self._places, self._arity, 0, 0, self._passing, 0, 0, 0] (4)": ("a number that nobody reads"),
    "interval/operators/counting.py::Counting.window: 0 becomes 1 in given = self._size, "
    "int(self.node.whole), 0, address_of(self._latest), self.node.behind": ("a number that nobody reads"),
    "interval/operators/exact_aggregation.py::Elements._sum: a condition of a comprehension is dropped in "
    "present = (element for element, count in self._counts.items() if count > 0)": (
        "when all changes of a time point are known, no element has left more often than it has entered"
    ),
    "interval/operators/listing.py::Listing.__init__: the condition is always true in if node.limit * "
    "(node.source.width - node.group) <= MOST_NUMBERS:": (
        "lists are swept that are computed exactly otherwise, with more room"
    ),
    "interval/operators/listing.py::Listing.__init__: the condition is never true in if node.limit * "
    "(node.source.width - node.group) <= MOST_NUMBERS:": ("lists are computed exactly that are swept otherwise"),
    "interval/operators/listing.py::Listing.__init__: LtE becomes Lt in if node.limit * (node.source.width - "
    "node.group) <= MOST_NUMBERS:": ("lists are computed exactly that are swept otherwise"),
    "interval/answers/validity.py::MaximalIntervals.ended: LtE becomes Lt in if until <= FOREVER and size < "
    "2 * survivors + FEW:": ("when what has ended is looked for"),
    "interval/answers/validity.py::MaximalIntervals.ended: the condition is never true in if until <= "
    "FOREVER and size < 2 * survivors + FEW:": ("when what has ended is looked for"),
    "interval/answers/validity.py::MaximalIntervals.ended: Lt becomes LtE in if until <= FOREVER and size < "
    "2 * survivors + FEW:": ("when what has ended is looked for"),
    "interval/answers/validity.py::MaximalIntervals.ended: 2 becomes 3 in if until <= FOREVER and size < 2 * "
    "survivors + FEW:": ("when what has ended is looked for"),
    "interval/answers/validity.py::clipped: the condition is never true in if (begins >= first).all() and "
    "(ends <= last).all() and (begins <= ends).all():": ("the longer of two ways"),
    "interval/answers/validity.py::outside_of: the condition is never true in if not len(others):": (
        "the longer of two ways"
    ),
    "interval/operators/exact_groups.py::ExactGroups.next_alarm: 1 becomes 2 in return self._alarms[0][0] if "
    "self._alarms else FOREVER + 1": ("an event after all time points"),
    "interval/operators/scaling.py::Scale.finer: the condition is always true in if (found < 0).any() or not "
    "self.digits < most <= MOST_DIGITS:": ("values are computed exactly that could be scaled"),
    "interval/engine/engine.py::IntervalEngine.__init__: 0 becomes 1 in self.lateness = 0": (
        "who makes an engine says it anew"
    ),
    "interval/state/arrivals.py::Arrivals.in_order: GtE becomes Gt in return all(bool((batch.times[1:] >= "
    "batch.times[:-1]).all()) for batch in self.batches.values())": ("arrivals are followed at once, not in parts"),
    "interval/state/calculator.py::_distinct: a condition of a comprehension is dropped in varying = [column "
    "for column in rows.T if (column != column[0]).any()]": (
        "a column that is the same in all rows tells none of them apart"
    ),
    "interval/momentary/finding.py::_Finder._rule: a condition of a comprehension is dropped in steps = "
    "evaluation_order([*checks, *others], {name for name in names if name is not None}, rule)": (
        "no literal asks for a column without a name"
    ),
    "interval/momentary/finding.py::_Finder._rule: In becomes NotIn in literal for literal in rule.body if "
    "isinstance(literal, Match) and literal.relation in self._changing": ("such a rule is evaluated as any other"),
    "interval/momentary/values.py::ColumnCalculator.computed: the condition is never true in return found, "
    "None if defined.all() else defined[places]": ("all rows are named, instead of none"),
    "interval/state/decimals.py::multiplied: BitAnd becomes BitOr in units = np.where(known & fits, "
    "left.units, 0) * np.where(known & fits, right.units, 0)": ("the other factor is nought there"),
    "interval/momentary/finding.py::_Finder._rule: Is becomes IsNot in if clips != present or "
    "(source.relation.kind is Kind.INPUT and not present):": ("such a rule is evaluated as any other"),
    "interval/state/decimals.py::multiplied: 0 becomes 1 in units = np.where(known & fits, left.units, 0) * "
    "np.where(known & fits, right.units, 0)": ("the other factor is nought there"),
    "interval/momentary/finding.py::_Finder._fits: NotIn becomes In in return isinstance(node, Unrolled) and "
    "node.source in inside and relation not in self._rules": (
        "what an operator finds has no rules, and is followed as anything else"
    ),
    "interval/momentary/ordering.py::_rank: BitAnd becomes BitOr in return _MULTIPLYING if unknown & others "
    "else _MATCHED": ("the order of evaluation"),
    "interval/momentary/finding.py::_Finder._rule: not is dropped in if clips != present or "
    "(source.relation.kind is Kind.INPUT and not present):": ("such a rule is evaluated as any other"),
}
