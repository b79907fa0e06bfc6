"""Seeded faults in how the interval reasoner lowers and plans rules that change no answer, each with the reason."""

from __future__ import annotations

LOWERING = {
    "interval/lowering/lower_aggregates.py::AggregateLowering._members: the condition is always true "
    "in return Members(elements, tuple(self._rule.demands.binders(one, others) if one else () for "
    "one in missing))": ("no variable is wanted, so no literal is"),
    "interval/lowering/lower_aggregates.py::AggregateLowering.present: Gt becomes GtE in known = "
    "asked if node.parts > 1 else ()": ("a condition more: elements are found only of groups that were asked for"),
    "interval/lowering/lower_aggregates.py::AggregateLowering.together: Gt becomes GtE in if "
    "len(same) > 1 and set(group) <= self._rule.bindings.bound(_without(body, same))": (
        "a single aggregate is found in the same way"
    ),
    "interval/lowering/lower_aggregates.py::AggregateLowering.together: the condition is never true "
    "in if names(literal.result).isdisjoint(group):": ("aggregates are computed one by one"),
    "interval/lowering/lower_demands.py::Demands.binders: a condition of a comprehension is dropped "
    "in for usable in ([one for one in candidates if not self._asks_the_head(one)], candidates):": (
        "keys that a recursion asks for are answered as they come up"
    ),
    "interval/lowering/lower_rules.py::RuleLowering.__init__: 0 becomes 1 in self._fresh = 0": ("other names"),
    "interval/lowering/lower_rules.py::RuleLowering._count_of_times: 1 becomes 2 in start, end = "
    "Call(INTEGER, (span.start, Constant(LATEST))), Call(INTEGER, (span.end, Constant(-1)))": (
        "another time point before all of them"
    ),
    "interval/lowering/lower_rules.py::RuleLowering._seen_once: the condition is always true in if "
    "not any(isinstance(literal, Aggregate) for literal in self.rule.body):": (
        "all values instead of whether there are any"
    ),
    "interval/lowering/lower_rules.py::RuleLowering.add: the condition is always true in if later or NOW in columns:": (
        "what holds is looked at time point by time point"
    ),
    "interval/lowering/lower_rules.py::RuleLowering.literal: a condition of a comprehension is "
    "dropped in return self.present(literal, tuple(other for other in body if other is not literal), "
    "alone)": ("a literal that holds at infinitely many times does not give its own"),
    "interval/lowering/lower_rules.py::RuleLowering.read: the condition is never true in if found is None:": (
        "the analysis has refused it"
    ),
    "interval/lowering/lower_rules.py::_compares_now: and becomes or, or becomes and in return "
    "isinstance(literal, Comparison) and any(isinstance(part, Now) for part in walk(literal))": (
        "comparisons are looked at time point by time point"
    ),
    "interval/lowering/now_bounds.py::NowBounds.bodies: and becomes or, or becomes and in if "
    "found.beside and not _is_ordinary(found.other, times):": ("the rule is split into a case that cannot be"),
    "interval/lowering/now_parts.py::_apart: the condition is always true in if isinstance(part, "
    "Match) and mentioned(part) & computed:": ("a condition waits for the evaluation time, though it need not"),
    "interval/lowering/now_parts.py::_local: IsNot becomes Is in return mentioned(part) - "
    "elsewhere.union(*(mentioned(other) for other in body if other is not part))": (
        "an absence waits for the evaluation time, though it need not"
    ),
    "interval/lowering/now_parts.py::waiting_for_now: LtE becomes Lt in if NOW not in matched and "
    "all(isinstance(part, Match) or mentioned(part) <= matched for part in body):": (
        "the long way finds nothing that waits"
    ),
    "interval/lowering/revocable.py::mark_revocable: a condition of a comprehension is dropped in "
    "for relation in reachable(derived, [one for one in network.relations if one.revocable]):": (
        "more is taken to be revocable than is"
    ),
    "interval/lowering/revocable.py::mark_revocable: the condition is always true in elif "
    "isinstance(literal, Absence):": ("more is taken to be revocable than is"),
    "interval/lowering/given_facts.py::GivenFacts._ahead: max becomes min in last = max((bounds(span)[1] for span"
    " in selected.spans), default=self._network.start)": (
        "windows select what lies in all of them, so the first end is late enough"
    ),
    "interval/lowering/always.py::AlwaysLowering.relation: not is dropped in if extent == (0, 0, 1) and not fixed:": (
        "at one time point, some and all are the same"
    ),
    "interval/lowering/shared_relations.py::SharedRelations.arrived: the condition is always true in if key not "
    "in self._made:": ("a view more, with the same content"),
    "interval/lowering/given_facts.py::GivenFacts.bodies: and becomes or, or becomes and in if reading.quantifier"
    " is Quantifier.AT and selected.sizes:  # where the window begins hangs on what has arrived": (
        "the time points of windows are looked up one by one"
    ),
    "interval/lowering/window_conditions.py::WindowConditions.nonempty: a condition of a comprehension is dropped"
    " in reach = tuple(Clip(start, None, future, hop) for _, future, hop in selected.times if future is not None)": (
        "a condition without bounds"
    ),
    "interval/lowering/looked_up.py::looked_up: and becomes or, or becomes and in derived = signature in "
    "network.now or signature in network.pinned": ("the analysis has refused it"),
    "interval/lowering/views.py::Views.show_data: 0 becomes 1 in bodies = self._sources.pinned(signature, "
    'Chain(times=((0, 0, 1),)), arguments, "$time") (2)': ("what arrives is not there before its time"),
    "interval/lowering/views.py::Views.show_data: a condition of a comprehension is dropped in arrivals = (body "
    "for body in bodies if self._network.pinned.get(signature) not in _relations(body))": (
        "what is pinned to the evaluation time is shown as holding now"
    ),
    "interval/momentary/distinct.py::DistinctRows._still_growing: the condition is never true in if "
    "isinstance(column, np.ndarray) and (self._growing is None or place in self._growing):": (
        "intervals are united in a table from the first row on"
    ),
    "interval/momentary/evaluating.py::RuleOverColumns.run: a condition of a comprehension is "
    "dropped in known = {name: values for name, values in zip(self._names, given.columns, "
    "strict=True) if name is not None}": ("values that nobody asks for"),
    "interval/momentary/finding.py::_Finder.found: BitAnd becomes BitOr in if "
    "self._read_otherwise(relation) or misfits & self._after(relation)": ("the engine sees all arrivals"),
    "interval/momentary/finding.py::_Finder.found: the loop never runs in while inputs:": (
        "the engine sees all arrivals"
    ),
    "interval/momentary/finding.py::momentary_part: the condition is always true in if network.recorded or any(": (
        "the engine sees all arrivals"
    ),
    "interval/momentary/ordering.py::_rank: IsNot becomes Is in others = {name for other in waiting "
    "if other is not literal for name in mentioned(other)}": ("the order in which a body is evaluated"),
    "interval/momentary/ordering.py::_rank: LtE becomes Lt in return arithmetic if unknown <= "
    "{target} and target not in _used(literal) - known else None": (
        "no order is found, and the engine sees all arrivals"
    ),
    "interval/momentary/ordering.py::_rank: the condition is never true in arithmetic = _CALCULATED "
    "if function in OPERATIONS else _CALLED": ("the order in which a body is evaluated"),
    "interval/momentary/ordering.py::evaluation_order: IsNot becomes Is in (rank, place) for place, "
    "one in enumerate(waiting) if (rank := _rank(one, known, waiting, rule)) is not None": (
        "no order is found, and the engine sees all arrivals"
    ),
    "interval/momentary/ordering.py::evaluation_order: min becomes max in literal = waiting.pop(min(ranked)[1])": (
        "the order in which a body is evaluated"
    ),
    "interval/momentary/ordering.py::evaluation_order: the condition is never true in return order "
    "if needed <= known else None": ("the engine sees all arrivals"),
    "interval/momentary/ordering.py::named_columns: the condition is never true in if column is None "
    "or (isinstance(column, str) and column not in names):": ("other names, and equations that give them their values"),
    "interval/momentary/passing.py::PassingArrivals.of: the condition is always true in return None "
    "if part is None else cls(engine, part, shown)": ("the engine sees all arrivals"),
    "interval/momentary/values.py::_distinct_rows: 1 becomes 2 in return rows[first], places.reshape(-1)[runs]": (
        "any negative size stands for the one that follows from the others"
    ),
    "interval/planning/plan.py::_Planner._local: a condition of a comprehension is dropped in "
    "elsewhere = {column for column in self.rule.columns if isinstance(column, str)}": ("numbers are no variables"),
    "interval/planning/plan.py::_Planner._next: min becomes max in return min(ready, key=self._cost)": (
        "the order in which a body is evaluated"
    ),
    "interval/planning/plan.py::_Planner._cells: 0 becomes 1 in cells += [SKIP, 0]": (
        "a column that is skipped has no register"
    ),
    "interval/lowering/lower_rules.py::RuleLowering._seen_once: Is becomes IsNot in if "
    "reading.quantifier is Quantifier.NOW and reading.signature in self.network.inputs:": (
        "all values instead of whether there are any, or the other way round"
    ),
    "interval/momentary/evaluating.py::RuleOverColumns.__init__: a condition of a comprehension is "
    "dropped in known = {name for name in rule.names if name is not None}": ("None is the name of no variable"),
    'interval/lowering/now_parts.py::_known: NotEq becomes Eq in case Compare("=", left, right) if '
    "left != right and len(mentioned(part) - known) <= 1:": (
        "a condition waits for the evaluation time, though it need not"
    ),
    "interval/lowering/lower_aggregates.py::AggregateLowering._aggregated: the condition is always "
    "true in if key not in views.aggregates:": ("the same aggregate a second time"),
    "interval/lowering/shared_relations.py::SharedRelations.pointed: Sub becomes Add in reaches = [None if past "
    "is None else past + hop - 1 for past, _, hop in selected.times]": ("time points are kept for longer"),
    "interval/lowering/looked_up.py::looked_up: and becomes or, or becomes and in if (lasting and not "
    "(lasting.lag and selected)) or (derived and not (counts and selected)): (4)": ("the analysis has refused it"),
    "interval/lowering/lower_aggregates.py::AggregateLowering._collected: 1 becomes 2 in shortest = "
    "min((len(element.terms) for element in part.elements), default=1)": (
        "without elements nobody asks for the shortest"
    ),
    "interval/lowering/revocable.py::revocable_predicates: the condition is always true in if "
    "isinstance(node, Not | Aggregate) or (isinstance(node, WindowNode) and node.counts_arrivals):": (
        "more is taken to be revocable than is"
    ),
    "interval/planning/plan.py::Plan.chosen: Eq becomes NotEq in len(step.bound) == "
    "step.literal.relation.width for step in self.steps if isinstance(step.literal, Match)": (
        "whether the order of joins is looked at again"
    ),
    "interval/planning/plan.py::_Planner._look_up: Gt becomes GtE in rest = int(len(places) > 1 or "
    "SAME in cells[::2])": ("columns are compared that are the same"),
    "interval/lowering/lower_aggregates.py::AggregateLowering.present: the condition is always true in if value != "
    "result:": ("a value is compared with itself"),
    "interval/lowering/given_facts.py::GivenFacts._nonempty: and becomes or, or becomes and in if "
    "selected.sliding or (selected.sizes and not parts):": ("the time points of windows are looked up one by one"),
    "interval/lowering/lower_rules.py::RuleLowering._computed_arguments: the condition is always true in for term "
    "in found.atom.args if found else ():": ("what has been counted is an extended atom"),
    "interval/lowering/lower_demands.py::Demands.binders: a condition of a comprehension is dropped in positive = "
    "[literal for literal in body if not isinstance(literal, Not)]": ("what is negated gives no variable its value"),
    "interval/lowering/feed_aggregates.py::_read_below_views: the condition is never true in body = "
    "tuple(Match(inside.relation, columns) if literal is match else literal for literal in rule.body)": (
        "elements are made of a view instead of what it is made of"
    ),
    "interval/momentary/evaluating.py::RuleOverColumns.run: a condition of a comprehension is dropped in known = "
    "{name: values for name, values in known.items() if name in needed}": ("values that nobody asks for"),
    "interval/lowering/feed_aggregates.py::_read_below_views: a condition of a comprehension is dropped in columns "
    "= tuple(known.get(column) for column in inside.columns if isinstance(column, str))": (
        "a column that has no name leads to none"
    ),
    "interval/momentary/finding.py::_Finder._fits: the condition is always true in if node is not None:": (
        "the engine sees all arrivals"
    ),
    "interval/momentary/finding.py::_Finder._fits: the condition is always true in if relation in "
    "self._after(relation):": ("the engine sees all arrivals"),
    "interval/lowering/always.py::AlwaysLowering._extent: 1 becomes 2 in return last - max(first, "
    "self._network.start), 0, 1": ("a fixed interval has as many time points, whatever the evaluation time"),
    "interval/momentary/ordering.py::_rank: the condition is always true in return _MULTIPLYING if unknown & "
    "others else _MATCHED": ("the order in which a body is evaluated"),
    "interval/momentary/finding.py::_Finder._rule: NotIn becomes In in others = [one for one in rule.body if "
    "isinstance(one, Literal) and one not in changing]": ("the engine sees all arrivals"),
    "interval/lowering/lower_rules.py::RuleLowering.followed: the condition is never true in if found.time is not "
    "None and not found.windows and offset_from_now(found.time) is not None:": (
        "a time that moves with the present is looked up time point by time point"
    ),
    "interval/momentary/finding.py::_Finder._rule: a condition of a comprehension is dropped in clips = [literal "
    "for literal in rule.body if isinstance(literal, Clip)]": ("the engine sees all arrivals"),
    "interval/momentary/ordering.py::evaluation_order: a condition of a comprehension is dropped in needed = "
    "{column for column in rule.columns if isinstance(column, str)}": ("the engine sees all arrivals"),
    "interval/lowering/always.py::AlwaysLowering.relation: the condition is never true in if extent == (0, 0, 1) "
    "and not fixed:": ("at one time point, some and all are the same"),
    "interval/momentary/distinct.py::DistinctRows._still_growing: the condition is never true in if after and "
    "(column[1:] > column[:-1]).all():": ("intervals are united in a table from the first row on"),
    "interval/planning/plan.py::_Planner.from_literal: and becomes or, or becomes and in if isinstance(literal, "
    "Match) and literal.relation.stored:  # what is not stored, other plans do not find": (
        "what comes in the same step is found by the plan that begins with it"
    ),
    "interval/lowering/lower_aggregates.py::AggregateLowering.together: the condition is always true in if "
    "names(literal.result).isdisjoint(group):": ("they are found together as well where others bind their groups"),
    "interval/lowering/given_facts.py::GivenFacts._ahead: 0 becomes 1 in ahead = max(0, last - self._network.start)": (
        "time points that no interval contains"
    ),
    "interval/momentary/finding.py::_Finder._rule: and becomes or, or becomes and in others = [one for one in "
    "rule.body if isinstance(one, Literal) and one not in changing]": ("the engine sees all arrivals"),
    "interval/lowering/lower_rules.py::RuleLowering._seen_once: the condition is never true in if not "
    "any(isinstance(literal, Aggregate) for literal in self.rule.body):": (
        "whether there are any values instead of all of them"
    ),
    "interval/lowering/lower_rules.py::RuleLowering.lower: the condition is never true in for body in () if "
    "isinstance(time, Variable) else self.bodies(rule.body):": ("the body ties the variable of a head to the timeline"),
    "interval/momentary/finding.py::_Finder._rule: Add becomes Sub in if len(changing) != 1 or len(clips) + "
    "len(changing) + len(others) < len(rule.body): (2)": ("the engine sees all arrivals"),
    "interval/momentary/evaluating.py::_united: the condition is always true in if len(parts) > 1:": (
        "what is in order stays so"
    ),
    "interval/momentary/ordering.py::_rank: the condition is never true in return _MULTIPLYING if unknown & "
    "others else _MATCHED": ("the order in which a body is evaluated"),
    "interval/lowering/now_bounds.py::linear: not is dropped in beside = tuple(summand for summand in "
    "summands if not isinstance(summand.term, Now))": ("comparisons are looked at time point by time point"),
    "interval/lowering/now_parts.py::waiting_for_now: and becomes or, or becomes and in if NOW not in "
    "matched and all(isinstance(part, Match) or mentioned(part) <= matched for part in body): (2)": (
        "the long way finds nothing that waits"
    ),
    "interval/lowering/feed_aggregates.py::feed_aggregates: the condition is never true in feed = "
    "_feed(rules[0]) if len(rules) == 1 else None": (
        "elements are stored once more instead of being read where they are"
    ),
    "interval/lowering/feed_aggregates.py::_Feeding.fed: the condition is never true in elif _is_one_to_one(feed):": (
        "elements are stored once more instead of being read where they are"
    ),
    "interval/planning/plan.py::Functions.__init__: 2 becomes 3 in **{(name, 2): number for name, number in "
    "arithmetic.OPERATIONS.items()},": ("the exact way instead of the quick one"),
    "interval/lowering/given_facts.py::GivenFacts._nonempty: the condition is never true in if "
    "selected.sliding or (selected.sizes and not parts):": ("the time points of windows are looked up one by one"),
    "interval/lowering/views.py::Views.definitions: the condition is always true in if (": (
        "a relation of its own instead of what it is made of"
    ),
    "interval/lowering/lower_rules.py::RuleLowering._seen_once: not is dropped in if not any(isinstance(literal, "
    "Aggregate) for literal in self.rule.body):": (
        "all values instead of whether there are any, or the other way round"
    ),
    "interval/lowering/revocable.py::revocable_predicates: the condition is never true in elif "
    "isinstance(node, Atom):": ("the network says what else can be taken back, and is lowered again"),
    "interval/lowering/lower_aggregates.py::AggregateLowering.together: LtE becomes Lt in if len(same) > 1 and "
    "set(group) <= self._rule.bindings.bound(_without(body, same))": ("aggregates of one group that are kept apart"),
    "interval/lowering/settle_demands.py::settle_demands: the condition is always true in for number, part in "
    "enumerate(components(graph_of(network.relations, edges)) if demands else ())": ("places that nobody asks for"),
    "interval/planning/plan.py::_Planner.from_literal: the condition is always true in if isinstance(literal, "
    "Match) and literal.relation.stored:  # what is not stored, other plans do not find": (
        "arrivals stand first in the bodies that read them"
    ),
    "interval/lowering/feed_aggregates.py::_feed: a condition of a comprehension is dropped in names = [column "
    "for column in columns if column is not None]": ("elements are stored once more"),
    "interval/lowering/feed_aggregates.py::feed_aggregates: 1 becomes 2 in feed = _feed(rules[0]) if "
    "len(rules) == 1 else None": ("where two rules make the elements of a list, neither only copies"),
}
