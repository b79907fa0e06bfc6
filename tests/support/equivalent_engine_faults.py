"""Seeded faults in the engine of the interval reasoner and its state that change no answer, each with the reason."""

from __future__ import annotations

ENGINE = {
    "interval/engine/alarms.py::Alarms.set: the condition is always true in if time != "
    "self._time_of.get(place, NEVER):": ("the same alarm a second time"),
    "interval/engine/arrange.py::layers: In becomes NotIn in found = ranked_components(graph, lambda "
    "relation: relation.number + len(graph) * (relation in late))": (
        "the order among parts that do not depend on each other"
    ),
    "interval/engine/demands.py::Feedback.dropped: 2 becomes 3 in if tables.size(self.target) <= 2 * "
    "self.kept + SLACK:": ("when keys that nobody asks for are dropped"),
    "interval/engine/engine.py::IntervalEngine.__init__: the condition is never true in "
    "self._next_review = FIRST_REVIEW if plans.joined else NEVER": ("the order of joins is not looked at again"),
    "interval/engine/engine.py::IntervalEngine._keep_house: GtE becomes Gt in if self.reviewing and "
    "self._joined and self.arrived >= self._next_review:": ("when the order of joins is looked at again"),
    "interval/engine/engine.py::IntervalEngine._operate: the condition is never true in if "
    "self.tables.profile is not None:": ("what is measured"),
    "interval/engine/engine.py::IntervalEngine.advance: and becomes or, or becomes and in if "
    "step.words[FILLED] or tables.crowded or self.arrived >= self._next_review:": (
        "when room is given back, and the order of joins looked at again"
    ),
    "interval/engine/engine.py::IntervalEngine.next_event: the condition is always true in if "
    "self._clocks or self._inputs.selecting or self._waking:": ("it is looked at sooner than needed"),
    "interval/engine/engine.py::IntervalEngine.step: 0 becomes 1 in return self._ended(until, "
    "-int(told[0]) if told[0] < 0 else told)": ("nothing has changed, and the step is brought to its end once more"),
    "interval/engine/evaluation.py::StreamEvaluation._evaluated: and becomes or, or becomes and in "
    "if arrivals.earliest <= self.over(until) and self._counts_arrivals:": ("all is computed again from the log"),
    "interval/engine/evaluation.py::StreamEvaluation.over: and becomes or, or becomes and in return "
    "self.time if self.lateness and until > self.time else self.time - 1": (
        "what arrives at the present is computed again from the log"
    ),
    "interval/engine/inertia.py::state_rules: not is dropped in if not rules:": (
        "states are followed in rounds instead of key by key"
    ),
    "interval/engine/layout.py::_NetworkWriter.part: BitAnd becomes BitOr in straight = kind == "
    "places.INSIDE and not (answering or waking or part.read & own)": (
        "conclusions are not put straight into their tables"
    ),
    "interval/engine/layout.py::_joined: 0 becomes 1 in return np.concatenate(columns) if columns "
    "else np.zeros(0, np.int64)": ("a number that nobody reads"),
    "interval/engine/rounds.py::_sustained: Is becomes IsNot in return now in again or any(rule.head "
    "is now and _copies(rule, again) for rule in network.rules)": (
        "what a record is taken to be in the first round, which later ones revise"
    ),
    "interval/engine/rounds.py::_sustained: a condition of a comprehension is dropped in again = "
    "{rule.head for rule in network.rules if _copies(rule, seen)}": (
        "what a record is taken to be in the first round, which later ones revise"
    ),
    "interval/engine/stepping.py::StepState.__init__: 0 becomes 1 in self._pool = "
    "list_of_rows([np.empty((0, 0), np.int64)]) (2)": ("no rows"),
    "interval/engine/stepping.py::StepState.__init__: 1 becomes 2 in own = [self.head, "
    "flags.reshape(-1), *growing, arena]": ("any negative size stands for the one that follows from the others"),
    "interval/engine/stepping.py::StepState.__init__: 64 becomes 65 in growing = [np.full(64, NONE, "
    "np.int64) for _ in range(network.DIRECTORY, network.ARENA)]": ("more room than is needed"),
    "interval/engine/stepping.py::StepState._rows: the condition is always true in return rows if "
    "len(rows) else None": ("no rows instead of None, which say the same"),
    "interval/network.py::Network.looks_up: the condition is always true in if relation in absences "
    "or (relation in matches and len(matches) > 1):": ("rows are kept that nobody looks for"),
    "interval/operators/aggregation.py::Sweep.__init__: 2 becomes 3 in self._nothing = np.empty((0, "
    "node.source.width + 2), np.int64)": ("no rows"),
    "interval/operators/exact_aggregation.py::Elements._sum: the condition is always true in if "
    "self._total is None:  # a symbol, or too many digits, were among the elements, or still are": (
        "the sum is computed anew"
    ),
    "interval/operators/exact_aggregation.py::Elements.value: the condition is never true in if not self._size:": (
        "a division by nothing has no value either"
    ),
    "interval/operators/scaling.py::Scale.finer: Lt becomes LtE in if (found < 0).any() or not "
    "self.digits < most <= MOST_DIGITS: (2)": ("exact computation instead of smaller units"),
    "interval/operators/selecting.py::KeptArrivals.selections: Add becomes Sub in self._enough = 2 * "
    "len(self._arrivals) + SLACK": ("what is left behind is forgotten sooner"),
    "interval/operators/sessions.py::Sessions.change: 2 becomes 3 in if self._size[SIZE] > 2 * "
    "self._size[SURVIVORS] + SLACK:": ("when room is given back"),
    "interval/reasoner.py::IntervalReasoner._advance: and becomes or, or becomes and in late = "
    "evaluation.lateness and arrivals.earliest <= evaluation.over(until)": (
        "the answer before is kept where it is not needed"
    ),
    "interval/reasoner.py::IntervalReasoner.advance: GtE becomes Gt in if own.in_one_go and "
    "own.start <= time < LATEST and time >= own.engine.time and len(atoms) <= FEW:": ("the longer of two ways"),
    "interval/reasoner.py::IntervalReasoner.takes_past: Is becomes IsNot in return "
    "self.engine.tables.profile is None and not self._evaluation.lateness": ("the engine sees all arrivals"),
    "interval/reasoner.py::IntervalReasoner.takes_past: not is dropped in return "
    "self.engine.tables.profile is None and not self._evaluation.lateness": ("the engine sees all arrivals"),
    "interval/state/arrivals.py::Arrivals.of: the condition is never true in if 0 < place <= FEW:": (
        "arrivals are taken in columns instead of one by one"
    ),
    "interval/state/calculator.py::Calculator._compared: 0 becomes 1 in unknown = "
    "np.flatnonzero(difference.digits < 0)": ("the exact way instead of the quick one"),
    "interval/state/calculator.py::Calculator._way: the condition is always true in if way is None:": (
        "the same way is made again"
    ),
    "interval/state/calculator.py::_by_second: Eq becomes NotEq in if rest or points == 1 or "
    "calendar.since_1970.microseconds or (times & 1).any():": ("both ways compute the same"),
    "interval/state/coding.py::Coder.argument: 1 becomes 2 in return "
    "pa.DictionaryArray.from_arrays(places.reshape(-1).astype(np.int32), "
    "self._dictionary.spellings(distinct))": ("any negative size stands for the one that follows from the others"),
    "interval/state/coding.py::Coder.argument: Lt becomes LtE in if odd.all() and "
    "len(self._dictionary) < _DENSE * len(codes):": ("both ways find the same"),
    "interval/state/coding.py::_mostly_different: and becomes or, or becomes and in return "
    "len(codes) > _SAMPLE and _REPEATING * len(np.unique(first)) > len(first)": ("both ways find the same"),
    "interval/state/decimals.py::Decimals._looked_at: 1 becomes 2 in code = place << 1 | 1": (
        "exact computation instead of small units"
    ),
    "interval/state/decimals.py::Decimals._looked_at: NotEq becomes Eq in if code != FILLER and "
    "isinstance(value := self._dictionary.decode(code), Decimal):": ("exact computation instead of small units"),
    "interval/state/decimals.py::Decimals._looked_at: the condition is never true in if code != "
    "FILLER and isinstance(value := self._dictionary.decode(code), Decimal):": (
        "exact computation instead of small units"
    ),
    "interval/state/decimals.py::added: GtE becomes Gt in known = (left.digits >= 0) & (right.digits >= 0)": (
        "the exact way instead of the quick one"
    ),
    "interval/state/decimals.py::decimal_units: minus is dropped in if isinstance(exponent, int) and "
    "0 <= -exponent <= MOST_DIGITS:": ("exact computation instead of small units"),
    "interval/state/decimals.py::multiplied: GtE becomes Gt in known = (left.digits >= 0) & "
    "(right.digits >= 0) & (digits <= MOST_DIGITS)": ("the exact way instead of the quick one"),
    "interval/state/decimals.py::multiplied: GtE becomes Gt in known = (left.digits >= 0) & "
    "(right.digits >= 0) & (digits <= MOST_DIGITS) (2)": ("the exact way instead of the quick one"),
    "interval/state/dictionary.py::Dictionary.translate: Is becomes IsNot in if self._spellings is None:": (
        "both ways find the same codes"
    ),
    "interval/state/tables.py::Tables.answer: Gt becomes GtE in self.crowded = "
    "bool(self._memo_size[SIZE] > MEMO_LIMIT)": ("results of arithmetic are forgotten sooner"),
    "interval/state/texts.py::Texts._grow: 2 becomes 3 in larger = np.empty(max(used + size, 2 * used), np.uint8)": (
        "more room than is needed"
    ),
    "interval/state/texts.py::Texts.numbers: Sub becomes Add in others, content_left = len(numbers) "
    "- done, int(ends[-1] - ends[done])": ("more room than is needed"),
    "interval/state/texts.py::Texts.numbers: Sub becomes Add in new = (self._count - before) / max(done, 1)": (
        "more room than is needed"
    ),
    "interval/state/texts.py::Texts.numbers: 0 becomes 1 in given = content.address if content is not None else 0": (
        "nothing is read where no text has a letter"
    ),
    "interval/engine/layout.py::_shifts: 1 becomes 2 in return future == -past and node.hop == 1 and"
    " past >= node.lag and not node.always": (
        "a window that hops contains more than one time point, so the general way is taken for all"
    ),
    "interval/state/decimals.py::multiplied: 0 becomes 1 in known = (left.digits >= 0) & "
    "(right.digits >= 0) & (digits <= MOST_DIGITS)": ("the exact way instead of the quick one"),
    "interval/engine/recording.py::Recorder.begin: Lt becomes LtE in if self.engine.time < "
    "self.engine.network.start < time: (2)": ("a step to the time point where the engine is"),
    "interval/operators/aggregation.py::Sweep.__init__: the condition is never true in self.scale, "
    "self._group, self._part = scale, node.group, node.group + 1 if node.parts > 1 else -1": (
        "what is only counted is brought into units, too; where it has none, all is computed exactly"
    ),
    "interval/engine/evaluation.py::StreamEvaluation._evaluated: the condition is always true in if "
    "self.time < until:": ("a step to the time point where the engine is"),
    "interval/state/tables.py::Tables.__init__: 3 becomes 4 in width = max(3, arity + 1)": ("more room than is needed"),
    "interval/operators/counting.py::counted: Add becomes Sub in rows[own, arity], rows[own, arity +"
    " 1] = (batch.places + first) << 1, batch.times << 1": (
        "two arrivals are one row only if they are the same atom of one time: windows let the first go first"
    ),
    "interval/operators/listing.py::RankSweep.change: 1 becomes 2 in losing = "
    "np.repeat(np.tile([False, True], len(counts)), counts.reshape(-1))": (
        "any negative size stands for the one that follows from the others"
    ),
    "interval/state/decimals.py::added: 0 becomes 1 in one, fits = _scaled(left, np.where(known, digits, 0))": (
        "what is not known is computed exactly, whatever stands there"
    ),
    "interval/engine/inertia.py::state_rules: In becomes NotIn in return StateRules(tuple(rules), "
    "tuple(numbers), _part_of(now, parts) if whole and now in depending else NONE)": (
        "the rules of a state are evaluated as well, or have been before the record is looked at"
    ),
    "interval/operators/selecting.py::KeptArrivals.decoded: 2 becomes 3 in for time, _, fact in "
    "sorted(found, key=lambda arrival: arrival[:2]):": ("no two arrivals have the same place"),
    "interval/operators/listing.py::RankSweep.__init__: 2 becomes 3 in self._nothing = np.empty((0, "
    "node.source.width + 2), np.int64)": ("no rows"),
    "interval/engine/inputs.py::InputOperators._concerned: the condition is always true in if "
    "signature not in self._counting_of:": ("the same list is made again"),
    "interval/engine/arrange.py::arrange: the condition is always true in if component.read:": (
        "a part that nothing concerns"
    ),
    "interval/engine/arrange.py::arrange: a jump is dropped in continue (2)": (
        "a layer with an aggregate has no rules, so its other part reads nothing"
    ),
    "interval/engine/inputs.py::InputOperators.__init__: 1 becomes 2 in self._numbered = np.zeros(1, np.int64)": (
        "a number that nobody reads"
    ),
    "interval/momentary/values.py::ColumnCalculator.compared: the condition is never true in if one is not None "
    "and other is not None:": ("the exact way instead of the quick one"),
    "interval/state/decimals.py::decimal_units: the condition is never true in if rest and len(text) <= SHORT and "
    "rest.isdigit():  # the usual case: to look at the digits themselves takes longer": ("the longer of two ways"),
    "interval/engine/log.py::InputLog.append: the condition is never true in if not arrivals.count:": (
        "nothing is appended"
    ),
    "interval/engine/evaluation.py::StreamEvaluation._start_anew: the condition is always true in if self.time < "
    "time:": ("a step to the time point where the engine is"),
    "interval/state/decimals.py::decimal_units: LtE becomes Lt in if rest and len(text) <= SHORT and "
    "rest.isdigit():  # the usual case: to look at the digits themselves takes longer": ("the longer of two ways"),
    "interval/engine/log.py::_keep: 1 becomes 2 in keys = np.unique(np.concatenate(own), axis=0, "
    "return_inverse=True)[1].reshape(-1)": ("any negative size stands for the one that follows from the others"),
    "interval/operators/operators.py::ExtendedRuns.window: 0 becomes 1 in return [RUNNING, self.target.number, at, "
    "at, width, 0, self._past, 0, self._start, at, 0] (2)": ("a number that nobody reads"),
    "interval/state/calculator.py::_distinct: 1 becomes 2 in for column in varying[1:]:": (
        "what is not answered is asked again"
    ),
    "interval/engine/log.py::InputLog.__init__: 0 becomes 1 in self._kept = 0": (
        "when what is needed no more is looked for"
    ),
    "interval/state/decimals.py::Decimals._make_room: 2 becomes 3 in larger = np.full(2 * (len(self._dictionary) + "
    "1) * ENTRY, UNSEEN, np.int64)": ("more room than is needed"),
    "interval/momentary/values.py::_numbers: 0 becomes 1 in quotient: Numbers = np.where((left < 0) == (right < "
    "0), size, -size) (2)": ("nothing is divided by zero here"),
    "interval/operators/operators.py::TimePoints.wake: Add becomes Sub in self._next = max(self._next, last + 1)": (
        "the same time points once more"
    ),
    "interval/state/arrivals.py::Arrivals.at: the condition is always true in if len(facts) <= FEW:": (
        "arrivals are taken one by one instead of in columns"
    ),
    "interval/engine/engine.py::IntervalEngine.step: the condition is always true in if len(gained) or len(lost):": (
        "nothing is gained or lost"
    ),
    "interval/engine/engine.py::IntervalEngine.step: the condition is always true in if self._inputs.any:": (
        "there are no operators on arrivals, so nothing is done"
    ),
    "interval/engine/evaluation.py::StreamEvaluation._start_anew: Lt becomes LtE in if self.time < time:": (
        "a step to the time point where the engine is"
    ),
    "interval/momentary/values.py::_numbers: Lt becomes LtE in quotient: Numbers = np.where((left < 0) == (right < "
    "0), size, -size)": ("zero has no sign"),
    "interval/momentary/values.py::_calculated: 0 becomes 1 in return found if (found.digits >= 0).all() else None": (
        "the exact way instead of the quick one"
    ),
    "interval/engine/log.py::_young: the condition is always true in if retention.past is None:": (
        "what no window reaches is kept"
    ),
    "interval/engine/engine.py::IntervalEngine._answer_demands: 0 becomes 1 in again.apply(demand.target, rows, "
    "rows[:0])": ("a key that was not there is taken away before it comes"),
    "interval/engine/engine.py::IntervalEngine.__init__: True becomes False in self.reviewing = True": (
        "the order of joins is not looked at again"
    ),
    "interval/operators/listing.py::Listing.change: the condition is always true in return [*moved, "
    "self._corrected(self._ranks, late, until)] if len(late) else moved": ("no group is given anew"),
    "interval/engine/rounds.py::_sustained: and becomes or, or becomes and in return now in again or any(rule.head "
    "is now and _copies(rule, again) for rule in network.rules) (2)": (
        "what a record is taken to be in the first round, which later ones revise"
    ),
    "interval/state/decimals.py::Decimals._looked_at: 0 becomes 1 in return decimal_units(value) or (0, NO_DECIMAL)": (
        "what is not known is computed exactly, whatever stands there"
    ),
    "interval/operators/listing.py::RankSweep.change: 1 becomes 2 in counts = np.diff(starts).reshape(-1, 2)[1:]  "
    "# the first output says that there are elements (2)": (
        "any negative size stands for the one that follows from the others"
    ),
    "interval/state/decimals.py::multiplied: BitAnd becomes BitOr in units = np.where(known & fits, left.units, 0) "
    "* np.where(known & fits, right.units, 0) (2)": ("what does not fit is multiplied by zero"),
    "interval/momentary/values.py::_calculated: the condition is never true in return found if (found.digits >= "
    "0).all() else None": ("the exact way instead of the quick one"),
    "interval/engine/rounds.py::_noted: 1 becomes 2 in return kind.concluded.number, kind.recorded.number, 1, "
    "bounded(kind.past) + 1, 0, NONE, NONE (2)": ("notes of what no window reaches are kept"),
    "interval/reasoner.py::IntervalReasoner.advance: the condition is never true in if own.in_one_go and own.start "
    "<= time < LATEST and time >= own.engine.time and len(atoms) <= FEW:": ("the longer of two ways"),
    "interval/momentary/values.py::_units: Lt becomes LtE in return Units(values, np.zeros(len(values), np.int64)) "
    "if _largest(values) < _ROOM else None": ("a number of that size does not fit either"),
    "interval/momentary/values.py::ColumnCalculator.compared: 0 becomes 1 in if (difference.digits >= 0).all():": (
        "the exact way instead of the quick one"
    ),
    "interval/operators/exact_groups.py::Course.take: Lt becomes LtE in if self.values is not None and self._begin "
    "< time:": ("a stretch without time points"),
    "interval/engine/layout.py::_NetworkWriter.part: the condition is always true in if "
    "self.with_one_reason.isdisjoint(plan.rule for plan in plans):": ("what has one reason is derived again as well"),
    "interval/operators/scaling.py::Scale.scaled: the condition is never true in return result if found == "
    "scaling.FITS else None": ("exact computation instead of small units"),
    "interval/engine/rounds.py::_sustained: any becomes all in return now in again or any(rule.head is now "
    "and _copies(rule, again) for rule in network.rules)": (
        "what a record is taken to be in the first round, which later ones revise"
    ),
    "interval/engine/rounds.py::_copies: Eq becomes NotEq in isinstance(literal, Match) and literal.relation "
    "in relations and literal.columns == rule.columns": (
        "what a record is taken to be in the first round, which later ones revise"
    ),
    "interval/engine/inertia.py::_wanted: a jump is dropped in continue": ("the next literal follows anyway"),
    "interval/engine/inertia.py::state_rules: 0 becomes 1 in numbers += (0, int(inertia), *(signs.get(key, "
    "NONE) for key in asked.values()))": ("which rules are said to have concluded anything, which no answer says"),
    "interval/engine/evaluation.py::StreamEvaluation.over: Gt becomes GtE in return self.time if "
    "self.lateness and until > self.time else self.time - 1": (
        "what arrives at the present is computed again from the log"
    ),
    'interval/momentary/values.py::_numbers: Lt becomes LtE in case "+" | "-" if most + other < _ROOM:': (
        "results of this size are exact, too"
    ),
    'interval/momentary/values.py::_numbers: Add becomes Sub in case "+" | "-" if most + other < _ROOM:': (
        "sums of numbers of this size are exact, too"
    ),
    "interval/momentary/values.py::ColumnCalculator.compared: GtE becomes Gt in if (difference.digits >= 0).all():": (
        "the exact way instead of the quick one"
    ),
    "interval/engine/stepping.py::StepState.stop_watching: 0 becomes 1 in self.head[[network.WATCHED, "
    "network.DUES]] = 0": ("a watch that is due and is none any more is passed over"),
    "interval/engine/evaluation.py::StreamEvaluation.parts: Gt becomes GtE in if arrivals.count > PART or "
    "self.analysis.recorded or arrivals.earliest <= self.over(until):": ("how large parts are"),
}
"""As in `equivalent_faults.CHANGES_NO_ANSWER`."""
