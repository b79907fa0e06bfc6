"""Seeded faults that change no answer, each with the reason: they are not counted as missed."""

from __future__ import annotations

from support.equivalent_engine_faults import ENGINE
from support.equivalent_interval_faults import INTERVAL
from support.equivalent_lowering_faults import LOWERING
from support.equivalent_solver_faults import SOLVERS_CHANGE_NO_ANSWER

NOT_ABOUT_ANSWERS = {
    "interval/display/describe.py": "tells a person how a program runs",
    "interval/display/wording.py": "words of that",
    "interval/planning/statistics.py": "sizes of relations, for the order of joins",
    "interval/planning/planning.py": "the order of joins",
    "interval/planning/ordering.py": "the order of joins",
    "interval/planning/plan.py::_Planner._cost": "the order of joins",
    "interval/sampling.py": "the order of joins",
    "answer_update/literals.py::_urgency": "the order of joins",
    "interval/lowering/binding.py::Bindings.binders": "how much of a body restricts what is asked for",
    "answer_update/grounding.py::InstanceGrounding._add": "a limit that no program of this size reaches",
    "interval/state/dictionary.py::Dictionary.encode_rows": "the quick way for small integers",
    "interval/state/dictionary.py::Dictionary.encode_all": "the quick way for values that are known",
    "interval/state/arrivals.py::Arrivals.cut": "how large parts are",
    "jtms/network.py::JustificationNetwork.deregister": "what is forgotten",
    "arrivals_for_readings.py::_reach": "how long what no window sees is kept",
    "interval/engine/engine.py::IntervalEngine.fired": "which rules are told to have concluded anything",
    "interval/state/profile.py": "what rules cost",
    "registry.py": "names of reasoners",
    "protocol.py": "types",
    "jtms/increments.py": "prints the encoding",
    "jtms/annotations.py": "prints the encoding",
    "answer_update/stratum.py::_changes": "what the trace tells",
}
"""Files, or functions, in which a fault changes cost and no answer."""

_THROUGH_TIME = "answer_update/views.py::_through_time_window: "
_ENGINE = "interval/engine/engine.py::IntervalEngine."

_OTHERS = {
    f"{_THROUGH_TIME}the condition is always true in yield SeenAtom(view, world.time if at else None, fact), lasts": (
        "nobody asks for a time where there is no `@`"
    ),
    "answer_update/history.py::ArrivalHistory.forget: the condition is never true in if past is not None:": (
        "what no window reaches is kept"
    ),
    "answer_update/network.py::LabelNetwork.__init__: the condition is always true in if instance.head is not None:": (
        "nobody asks for the rules of no head"
    ),
    "answer_update/network.py::LabelNetwork.at_consequences: the condition is never true in "
    "return {PlainAtom(atom.fact)} if isinstance(atom, Pinned) else set()": "the rule `a ← @t a` says the same",
    "clingo/reasoner.py::ClingoReasoner._streams: the condition is always true in if self._solver is None:": (
        "a solver is made again from the same rules"
    ),
    f"{_ENGINE}_review: the condition is never true in "
    "if self.statistics is None or drifted(self.statistics, found):": ("the order of joins"),
    "interval/engine/evaluation.py::StreamEvaluation._evaluated: the condition is always true in "
    "if arrivals.earliest <= self.over(until) and self._counts_arrivals:": "all is computed again from the log",
    "interval/engine/evaluation.py::StreamEvaluation.parts: LtE becomes Lt in "
    "if arrivals.count > PART or self.analysis.recorded or arrivals.earliest <= self.over(until):": (
        "what belongs to the last evaluation has missed nothing but that one"
    ),
    "interval/engine/rounds.py::Rounds.__init__: 0 becomes 1 in self._since = self._until = 0": "`begin` says it anew",
    "interval/lowering/lower_rules.py::RuleLowering.fresh: 1 becomes 2 in self._fresh += 1": "other names",
    "interval/lowering/lower_demands.py::Demands.binders: a condition of a comprehension is dropped in "
    "candidates = [one for one in positive if aggregates or not isinstance(one, Aggregate)]": (
        "what is asked for is restricted by more literals of the same body, which the conclusion needs anyway"
    ),
    "interval/lowering/now_bounds.py::linear: the condition is always true in "
    "if comparison.operator not in MIRRORED:": ("then it is looked at time point by time point"),
    "interval/lowering/given_facts.py::_intersection: the condition is never true in if selected is None or "
    "selected.sizes:": ("the analysis has refused it"),
    "interval/network.py::Network.looks_up: False becomes True in return False": "rows are kept that nobody looks for",
    "interval/operators/exact_aggregation.py::Elements._present: the condition is always true in if self._sorts:": (
        "an order that nobody asks for"
    ),
    "interval/operators/exact_aggregation.py::Elements._present: the condition is never true in "
    "if not (self._sorts or self._adds):": "nothing is done after it for what is only counted",
    "interval/operators/exact_groups.py::GroupElements.add: Lt becomes LtE in if last < FOREVER:": (
        "an event after all time points"
    ),
    "interval/planning/plan.py::_Planner._look_up: the condition is never true in elif places:": (
        "all rows are looked through, and compared"
    ),
    "interval/state/calculator.py::_by_second: 1 becomes 2 in "
    "if rest or points == 1 or calendar.since_1970.microseconds or (times & 1).any(): (2)": (
        "both ways compute the same"
    ),
    "interval/state/decimals.py::multiplied: LtE becomes Lt in "
    "known = (left.digits >= 0) & (right.digits >= 0) & (digits <= MOST_DIGITS)": (
        "the exact way instead of the quick one"
    ),
    "interval/state/tables.py::Tables.capacity: FloorDiv becomes Mult in "
    "return len(entries) // int(self._sizes[relation.number][STRIDE])": "more room than is needed",
    "jtms/accounts.py::InstanceBook.leave: the condition is never true in if rules:": (
        "an instance without rules is found and does nothing"
    ),
    "jtms/grounding.py::Grounding._drain: and becomes or, or becomes and in if enters and row not in relation.rows:": (
        "what leaves before it has entered is derived: what is joined with it rests on a node that is out, "
        "or on a question"
    ),
    "jtms/maintenance.py::TruthMaintenance.change: Is becomes IsNot in "
    "seeds.update(node for node in forbidden if network.label[node] is IN)": (
        "before, no forbidden node is in; one that comes in is the head of a rule that has been added"
    ),
    "jtms/reasoner.py::JtmsReasoner.__init__: 1 becomes 2 in "
    "self._layers = NetworkLayers(prepared.top + 1, self._grounding.place, never)": "a layer more, which is empty",
    "jtms/search.py::Search.run: the condition is never true in if taken_back > self._limit:": (
        "a limit that no program of this size reaches"
    ),
    "jtms/views.py::AlwaysView.__init__: False becomes True in self.recursive = False": "every view is told afterwards",
    "jtms/views.py::WindowView._passed: Is becomes IsNot in if before.last is None or after.last is None:": (
        "both ways find the same, and a window has an end at all times or at none"
    ),
    "answer_update/network.py::LabelNetwork.head_consequences: a condition of a comprehension is "
    "dropped in return {instance.head for instance in self._by_body.get(atom, ()) if instance.head is "
    "not None}": ("no head has no rules and no support"),
    "answer_update/nodes.py::extended: the condition is always true in if seen.view.windows:": (
        "only what the stratum itself decides is asked for"
    ),
    "answer_update/retention.py::history_for: the condition is never true in return "
    "ArrivalHistory(past, bool(chains), still_counted if all(beginnings) else None, analysis.held)": (
        "what no window reaches is kept"
    ),
    "answer_update/stratum.py::_so_far: 0 becomes 1 in return intersect(previous.intervals.get(node, "
    "()), ((0, time - 1),)) if time else ()": ("since when it holds, not whether"),
    "answer_update/validity.py::validity: BitOr becomes BitAnd in if Status.UNKNOWN not in pos | neg:": (
        "nobody asks in which way a rule is invalid"
    ),
    "answer_update/views.py::_through_time_window: 1 becomes 2 in everywhere = range(max(start, "
    "world.start), end + (points(window.hop) or 1) + 1) if end < FOREVER else range(0)": (
        "a time point more, which is not seen yet"
    ),
    "arrivals_for_readings.py::ArrivalsForReadings.__init__: 0 becomes 1 in self.count = 0": (
        "arrivals are numbered from another number on"
    ),
    "arrivals_for_readings.py::ArrivalsForReadings._join: the condition is always true in if "
    "all(arrival.fact != fact for arrival in same_time):": ("the same atom twice, which nothing counts"),
    "clingo/adapter.py::is_ordered_alike: minus is dropped in return isinstance(item, int) and "
    "-INTEGER_LIMIT < item < INTEGER_LIMIT": ("values are compared by the language's own order"),
    "clingo/bodies.py::BodyText._collection: the condition is always true in name = value.name if "
    'isinstance(value, Variable) else ""': ("what gets a value is a variable"),
    "interval/engine/engine.py::IntervalEngine._follow: IsNot becomes Is in if status == TASK_DONE and "
    "profile is not None:": ("tasks end one by one only where somebody measures"),
    "interval/engine/layout.py::_NetworkWriter._relation: 0 becomes 1 in *self.rederiving.get(number, (0, 0)),": (
        "an empty list, wherever it begins"
    ),
    "interval/engine/log.py::_latest: the condition is always true in latest[order] = "
    "np.ones(len(order), np.bool_) if size is None else behind < size": ("what no window reaches is kept"),
    "interval/engine/log.py::ordered: 0 becomes 1 in return Arrivals({}, 0)": (
        "how many arrivals there are is asked where there are some"
    ),
    "interval/lowering/lower.py::_record_consistent: IsNot becomes Is in if all(rule.head is not "
    "network.inconsistent for rule in network.rules):": ("a condition more, which always holds"),
    "interval/lowering/now_bounds.py::NowBounds.bodies: the condition is always true in return None if "
    "None in sides else [body for side in sides for body in side or ()]": (
        "then it is looked at time point by time point"
    ),
    "interval/lowering/now_parts.py::_apart: and becomes or, or becomes and in if isinstance(part, "
    "Match) and mentioned(part) & computed:": ("the order of joins"),
    "interval/lowering/given_facts.py::GivenFacts._nonempty: Gt becomes GtE in if selected.sizes or parts > 1:": (
        "both ways find the same"
    ),
    "interval/lowering/always.py::AlwaysLowering.relation: the condition is always true in arrival = None if "
    "signature in self._network.now else self._network.inputs.get(signature)": ("both ways find the same"),
    "interval/lowering/looked_up.py::looked_up: and becomes or, or becomes and in if (lasting and not "
    "(lasting.lag and selected)) or (derived and not (counts and selected)):": ("the analysis has refused it"),
    "interval/lowering/looked_up.py::looked_up: and becomes or, or becomes and in if (lasting and not "
    "(lasting.lag and selected)) or (derived and not (counts and selected)): (5)": ("the analysis has refused it"),
    "interval/state/calculator.py::Calculator._arithmetic: 0 becomes 1 in known = result.digits >= 0": (
        "the exact way instead of the quick one"
    ),
    "interval/state/decimals.py::Decimals._looked_at: BitOr becomes BitAnd in code = place << 1 | 1": (
        "no decimal is known: the exact way instead of the quick one"
    ),
    "interval/state/dictionary.py::Dictionary.decode: and becomes or, or becomes and in if code == "
    "FILLER or self._spellings is None:": ("the filler is never decoded"),
    "interval/state/snapshot.py::Snapshot.require: the condition is never true in if self.program != program:": (
        "who restores has the program of the snapshot; the refusal is tested by itself"
    ),
    "interval/state/tables.py::Tables.__init__: 0 becomes 1 in self.horizon = 0": ("the engine says it anew"),
    "interval/state/tables.py::Tables.__init__: 0 becomes 1 in self.memory = np.array([*held, 0, 0], np.int64) (2)": (
        "`_show_decimals` says it anew"
    ),
    "jtms/grounding.py::Grounding.changes: a condition of a comprehension is dropped in [rule for rule "
    "in added if self._decides(rule)], [rule for rule in removed if self._decides(rule)]": (
        "a question becomes a node on which nothing rests"
    ),
    "jtms/instances.py::RulePlan.joined: a condition of a comprehension is dropped in order = "
    "tuple(number for number in range(len(self.sources)) if number != fixed)": (
        "all columns of the row are bound, so it meets itself alone"
    ),
    "jtms/reasoner.py::JtmsReasoner._evaluate: the condition is always true in moved = "
    "self._grounding.pinned_at(before) | self._grounding.pinned_at(time) if before != time else "
    "set[Node]()": ("what is shown already is shown again"),
    "arrivals_for_readings.py::ArrivalsForReadings._keep: Add becomes Sub in "
    "self._tolerated[signature] = 2 * len(kept) + _SLACK": "when old arrivals are dropped",
    "jtms/grounding.py::Grounding.questions: LtE becomes Lt in "
    "tally.touched for tally in self._tallies if tally.aggregation.level <= level": (
        "answered at the next level, which is settled once more then; there is one, that of the head"
    ),
    "interval/operators/aggregation.py::Aggregation._begun_anew: True becomes False in "
    "moved, _ = self._sweep.change(elements, None, until, self._tables.horizon, whole=True) (2)": (
        "in a new sweep no group is over yet"
    ),
    "clingo/encoding.py::encode: a condition of a comprehension is dropped in "
    "alternatives |= {head.atom.signature for head in plain.heads if head.time is not None}": (
        "data of other times is handed over, too, about which no rule with such a head says anything"
    ),
    "clingo/terms.py::TermText._compares_times: and becomes or, or becomes and in "
    "return any(map(self.is_time, sides)) and all(self.is_time(side) or _small(side) for side in sides) (2)": (
        "small integers are compared by a function instead of by clingo"
    ),
    "scope.py::Scope.shared: BitAnd becomes BitOr in return literal_names(literal) & self.outside(literal)": (
        "an atom in between has more of the rule's variables, to all of which its domain gives values"
    ),
    "interval/lowering/lower_aggregates.py::AggregateLowering.together: Is becomes IsNot in "
    "if isinstance(literal, Aggregate) and literal.ranking is None:": (
        "aggregates are computed one by one, and ranks by the counts that they are spelled out as"
    ),
    "interval/lowering/now_bounds.py::NowBounds._integer: minus is dropped in "
    "none = self._rule.dictionary.encode(-1)": "whichever integer stands for no integer, it is not equal to one",
    "interval/engine/engine.py::IntervalEngine._review: Add becomes Sub in "
    "self._next_review = self.arrived + min(self.arrived, LAST_REVIEW)": "when the order of joins is looked at again",
    "selection.py::forgetting: the condition is never true in if window.forgets:": "more arrivals are kept",
    "interval/lowering/now_parts.py::_local: the condition is always true in if not isinstance(part, Absence):": (
        "an absence waits for the evaluation time, though it need not"
    ),
    "interval/operators/aggregation.py::Aggregation.next_alarm: the condition is always true in "
    "exact = FOREVER + 1 if self._exact is None else self._exact.next_alarm": (
        "the sweep goes on with the same elements, so it wakes for what is computed exactly, too"
    ),
    "clingo/stability.py::steered_predicates: the condition is always true in if any(edge.sign in "
    "(Sign.NEGATIVE, Sign.CHOICE) for edge in inside):": ("more is remembered than hangs on choices"),
    "interval/lowering/lower_rules.py::RuleLowering.lower: any becomes all in inline = not "
    "any(atom.signature in self.views.revocable for atom, _ in atoms_with_sign(rule.head))": (
        "a head has one atom; without one both ways find the same"
    ),
    "interval/operators/aggregation.py::Sweep._decoded: the condition is never true in return rows if "
    "len(output) == self._widest else self._without(rows, len(output))": ("all columns are kept"),
    "interval/operators/scaling.py::Scale.finer: not is dropped in if (found < 0).any() or not "
    "self.digits < most <= MOST_DIGITS:": ("exact computation instead of smaller units"),
    "interval/operators/selecting.py::KeptArrivals.selections: the condition is always true in if "
    "self._forgetting and len(self._arrivals) > self._enough:": (
        "what is left behind is forgotten at once, or nothing is"
    ),
    "interval/state/arrivals.py::Arrivals.of: 1 becomes 2 in place += 1": ("places with gaps between them"),
    "jtms/tallies.py::Tally.settle: the condition is always true in left += [before] if before is not None else []": (
        "no row leaves"
    ),
    "interval/state/dictionary.py::Dictionary.decode_all: the condition is always true in if "
    "pc.any(pc.starts_with(texts, ESCAPE)).as_py():": (
        "symbols are read from their spellings one by one: they are spelled as they are"
    ),
    "interval/engine/engine.py::IntervalEngine._keep_house: the condition is never true in if "
    "self._step.words[FILLED] or self.tables.crowded:": ("what has expired is kept, and results of arithmetic are"),
    "pins.py::readings_below_pins: the condition is always true in window = TimeWindow(UNBOUNDED "
    "if past is None else past)": ("arrivals are kept for longer"),
    "interval/engine/rounds.py::_sustained: minus is dropped in if isinstance(node, Stretched) "
    "and node.source is recorded and node.hop == 1 and (node.future or 0) >= -node.lag": (
        "what a record is taken to be in the first round, which later ones revise"
    ),
    "clingo/terms.py::TermText.term: the condition is never true in if self.is_time(term):": (
        "times are added by a function instead of by clingo"
    ),
    "interval/state/coding.py::Coder.column: the condition is always true in if len(column) and "
    "max(abs(int(column.min())), abs(int(column.max()))) >= INLINE:": ("numbers are encoded one by one"),
    "interval/state/arrivals.py::Arrivals.places: 0 becomes 1 in return "
    "max((int(batch.places[-1]) + 1 for batch in self.batches.values() if len(batch.places)), "
    "default=0)": ("places with gaps between them"),
    "interval/operators/aggregation.py::Aggregation.next_alarm: 1 becomes 2 in exact = FOREVER + "
    "1 if self._exact is None else self._exact.next_alarm": ("the smallest of it and FOREVER + 1 is taken"),
    "interval/engine/evaluation.py::StreamEvaluation.whole: the condition is never true in if log.exceeds(SLACK):": (
        "what no window reaches is kept"
    ),
    "interval/state/calculator.py::Calculator._compared: Lt becomes LtE in unknown = "
    "np.flatnonzero(difference.digits < 0)": ("the exact way instead of the quick one"),
    "interval/engine/engine.py::IntervalEngine._review: min becomes max in self._next_review = "
    "self.arrived + min(self.arrived, LAST_REVIEW)": ("when the order of joins is looked at again"),
    "jtms/views.py::WindowView._passed: and becomes or, or becomes and in if before.last is None "
    "or after.last is None:": ("a window has an end at all times or at none"),
    "interval/lowering/shared_relations.py::SharedRelations.stretched: the condition is never true in if extent "
    "== (0, 0, 1) and lag == 0:": ("a view more, with the same content"),
    "clingo/bodies.py::BodyText.__init__: 1 becomes 2 in self._fresh = (name for number in "
    'count(1) if (name := f"N{number}") not in taken)': ("other names"),
    "interval/engine/engine.py::IntervalEngine._follow: the condition is never true in if status "
    "== TASK_DONE and profile is not None:": ("tasks end one by one only where somebody measures"),
    "interval/lowering/lower.py::_record_consistent: the condition is never true in if "
    "all(rule.head is not network.inconsistent for rule in network.rules):": ("a condition more, which always holds"),
    "interval/engine/log.py::_latest: 1 becomes 2 in behind = np.searchsorted(keys[order], "
    'keys[order], side="right") - np.arange(len(order)) - 1': ("one arrival more is kept"),
    "interval/state/tables.py::Tables.compact: False becomes True in self.crowded = False": (
        "results of arithmetic are forgotten sooner"
    ),
    "jtms/reasoner.py::JtmsReasoner._record: Gt becomes GtE in if time > self._now:": (
        "it joins the data when the next evaluation begins, which is the first to see it"
    ),
    "interval/state/calculator.py::Calculator._made: NotIn becomes In in if name in "
    "CALENDAR_FUNCTIONS and name not in self._imported and self._calendar is not None:": (
        "every time by itself instead of by second"
    ),
}

CHANGES_NO_ANSWER = _OTHERS | SOLVERS_CHANGE_NO_ANSWER | INTERVAL | ENGINE | LOWERING
"""By `file::function: change in what`: single faults in functions that are about answers otherwise."""
