"""Seeded faults in clingo, JTMS, answer-update and what they share that change no answer, by the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

BY_REASON: Mapping[str, Sequence[str]] = {
    "it is done again, or sooner, with the same result": (
        "answer_update/views.py::_unseen: and becomes or, or becomes and in if derived.now and "
        "extent(window, world.time)[1] < world.time:",
        "jtms/maintenance.py::TruthMaintenance._update: the condition is always true in before = dict(labels) "
        "if self._broken else {node: labels[node] for node in region}",
        "jtms/grounding.py::Grounding.advance: True becomes False in self._started = True",
        "answer_update/views.py::_unseen: 1 becomes 2 in ends.append(window.pivot(world.time) + "
        "(points(window.hop) or 1) - 1) (2)",
        "jtms/maintenance.py::TruthMaintenance.__init__: False becomes True in self._broken = False",
        "answer_update/reasoner.py::AnswerUpdateReasoner.answer: the condition is never true in if models == 1 or not "
        "self._evaluated:",
        "jtms/views.py::AlwaysView.move: True becomes False in self._moving = True",
        "answer_update/join.py::matches: and becomes or, or becomes and in for extended in "
        "_extensions(steps[0], scope, match, table_of or scope.candidates):",
        "answer_update/views.py::_unseen: the condition is always true in if derived.now and extent(window, "
        "world.time)[1] < world.time:",
        "jtms/asked_intervals.py::IntervalView.leave: the condition is always true in if not self._moving:",
    ),
    "the quick way for what the general one does as well": (
        "jtms/preparation.py::_named: In becomes NotIn in case ExtendedAtom(Quantifier.NOW, atom, "
        "negated=False) if atom.signature in derived:",
        "jtms/grounding.py::Grounding._number: the condition is never true in elif shape.quantifier is "
        "Quantifier.NOW and not _has_anonymous(shape):",
        "clingo/reasoner.py::ClingoReasoner._arrive: the condition is always true in if "
        "self._native_order and not all(map(is_ordered_alike, fact.args)):",
        "jtms/views.py::WindowView._passed: the condition is always true in if before.last is None or "
        "after.last is None:",
        "answer_update/reasoner.py::AnswerUpdateReasoner._arrived: the condition is never true in if signature "
        "not in self._analysis.extensional | self._analysis.recorded:",
        "clingo/terms.py::TermText.not_before: GtE becomes Gt in return offset >= 0 and self.is_time(term) and "
        "self.not_before(left)",
        "contents.py::content_of: the condition is always true in if (known and reading.quantifier is "
        "Quantifier.AT) or (signature in holds and not reading.counts_arrivals):",
        "answer_update/views.py::_stream: the condition is always true in return sorted([*points, *concluded], "
        "key=lambda arrival: arrival.time) if concluded else points",
        "clingo/reasoner.py::ClingoReasoner.__init__: the condition is never true in if can_stand(analysis, "
        "self._encoding):",
        "jtms/relations.py::NamedRows.matching: the condition is never true in if not places:",
        "jtms/grounding.py::Grounding._value: the condition is never true in if isinstance(term, Variable):",
        "jtms/views.py::WindowView._passed: Is becomes IsNot in if before.last is None or after.last is None: (2)",
        "answer_update/stratum.py::_ground: the condition is never true in if previous.time == world.time or "
        "(previous.time >= 0 and not stratum.follows_time):",
        "answer_update/stratum.py::_ground: GtE becomes Gt in if previous.time == world.time or (previous.time >= "
        "0 and not stratum.follows_time):",
    ),
    "more is kept, relabelled or handed over than is needed": (
        "selection.py::forgetting: the condition is always true in if not isinstance(window, FilterWindow):",
        "jtms/grounding.py::Grounding._forget_inputs: the condition is always true in if retention is None or "
        "retention.past is None or pin.time + retention.past >= now:",
        "flattening.py::_Flattening._flat: 1 becomes 2 in yield replace(reading, quantifier=Quantifier.AT, "
        "windows=reading.windows[:-1], time=anytime)",
        "arrivals_for_readings.py::ArrivalsForReadings.__init__: the condition is always true in if not "
        "reading.counts_arrivals:",
        "answer_update/stratum.py::_kept: a condition of a comprehension is dropped in changed = {node "
        "for node in changed if status.get(node) is not Status.IN}",
        "answer_update/stratum.py::_kept: a condition of a comprehension is dropped in instance.head for"
        " instance in old - new if instance.head is not None and status.get(instance.head) is Status.IN",
        "pins.py::readings_below_pins: a condition of a comprehension is dropped in signatures = "
        "{atom.signature for node in heads if isinstance(node, At) for atom in atoms(node)}",
        "jtms/maintenance.py::TruthMaintenance.change: a condition of a comprehension is dropped in "
        "seeds.update(node for node in forbidden if network.label[node] is IN)",
        "clingo/encoding.py::Encoding.visible: and becomes or, or becomes and in if not reading.counts_arrivals "
        "and history.knows(reading.signature)",
        "jtms/asked_times.py::AskedTimes.ask: 1 becomes 2 in self._asked[row[0]] += 1 if asked else -1",
        "answer_update/history.py::ArrivalHistory.forget: 2 becomes 3 in self._compact_at = "
        "max(FIRST_COMPACTION, 2 * len(self.log))",
        "answer_update/validity.py::validity: the condition is always true in if pos <= {Status.IN}:",
    ),
    "what does not match has no row, whatever is noted about it": (
        "contents.py::_Latest.arrive: the condition is always true in if oldest is not None:",
        "jtms/views.py::AlwaysView.enter: the condition is always true in if self.reading.match(fact, time) is "
        "not None:",
    ),
    "nothing comes at the time point after the last": (
        "holding.py::held_on: Add becomes Sub in own, after = following.get(key, (now + 1, now + 1)) (2)",
    ),
    "background holds now, too, and a window without end contains now": (
        'clingo/windows.py::WindowAtom.rules: and becomes or, or becomes and in at_all_points = f", {time} = '
        '_L.._U" if reading.quantifier is Quantifier.AT and named else ""',
    ),
    "atoms of other predicates do not match": (
        "contents.py::content_of: a condition of a comprehension is dropped in known = [fact for fact in "
        "background if fact.signature == signature]",
    ),
    "a hop is a number of time points, at least one": (
        "answer_update/windows.py::lasting: 1 becomes 2 in past, future, hop = points(window.past), "
        "points(window.future), points(window.hop) or 1",
    ),
    "only what the stratum itself decides is asked for": (
        "answer_update/nodes.py::extended: the condition is always true in return PlainAtom(seen.fact) if "
        "seen.time is None else Pinned(seen.time, seen.fact)",
    ),
    "what no window reaches is kept": (
        "answer_update/history.py::ArrivalHistory.forget: the condition is never true in if self._still_counted "
        "is not None and len(self.log) >= self._compact_at:",
        "answer_update/retention.py::history_for: the condition is always true in signature: None if signature "
        "in mixed else retention.past for signature, retention in analysis.retention.items()",
        "jtms/grounding.py::Grounding._forget_inputs: Is becomes IsNot in if retention is None or retention.past "
        "is None or pin.time + retention.past >= now:",
        "answer_update/retention.py::history_for: BitAnd becomes BitOr in mixed = pinned & (analysis.extensional | "
        "analysis.recorded)",
    ),
    "an atom gives its own variables values": (
        "answer_update/literals.py::_expressions: a condition of a comprehension is dropped in return "
        "names(*(term for term in read.terms if not isinstance(term, Variable)))",
    ),
    "arrivals are numbered from another number on": (
        "answer_update/history.py::ArrivalHistory.__init__: 0 becomes 1 in self.count = 0",
    ),
    "what has been asked for is asked for longer, or what is over kept longer": (
        "jtms/tallies.py::Tally.ask: the condition is always true in (self._questions.add if asked else "
        "self._questions.discard)(row)",
        "jtms/tallies.py::Tally.settle: the condition is always true in after = self._answer(question) "
        "if question in self._questions else None",
        "jtms/asked_times.py::AskedTimes.ask: minus is dropped in self._asked[row[0]] += 1 if asked else -1",
        "contents.py::_Steady.settle: 1 becomes 2 in self._runs = {fact: run for fact, run in "
        "self._runs.items() if run[1] >= now - 1} (2)",
    ),
    "when old arrivals are dropped": (
        "arrivals_for_readings.py::ArrivalsForReadings._keep: the condition is always true in if len(kept) > "
        "self._tolerated[signature]:",
        "arrivals_for_readings.py::ArrivalsForReadings.append: Add becomes Sub in self._tolerated[None] = 2 * "
        "len(self._all) + _SLACK",
    ),
    "facts that no rule mentions": (
        "clingo/encoding.py::_background_text: the condition is always true in if fact.signature in everywhere:",
    ),
    "what a reading without a time finds is the same at all times": (
        "contents.py::_Steady.__init__: 0 becomes 1 in self._fixed = {row for fact in known if (row := "
        "reading.match(fact, 0)) is not None}",
        "contents.py::_Counted.__init__: 0 becomes 1 in row = reading.match(fact, 0)",
    ),
    "when instances are tidied up, or a program is ground anew": (
        "jtms/grounding.py::Grounding.advance: 2 becomes 3 in self._bearable = 2 * len(self._instances) + _SLACK",
        "clingo/standing.py::StandingProgram.settle: and becomes or, or becomes and in if changes and "
        "(self._steered or not self._holding.keys() <= self._ground):",
    ),
    "nodes that are labelled are looked at once more": (
        "jtms/search.py::Search.run: a condition of a comprehension is dropped in pending = [node for node in "
        "self._region if self._network.label[node] is UNKNOWN]",
    ),
    "the body makes the variable of a head a time point: it is its own pin, and never before the start": (
        "clingo/heads.py::_is_harmless: True becomes False in return True",
        "clingo/heads.py::_variants: the condition is never true in if _is_harmless(time, terms):",
    ),
    "a rule that does not fire has a negation in its way: what follows from it lasts for this evaluation at most": (
        "answer_update/stratum.py::_fires: and becomes or, or becomes and in return all(status[node] is Status.IN for "
        "node in instance.positive) and all(",
        "answer_update/stratum.py::_guaranteed: and becomes or, or becomes and in firing = [instance for"
        " instance in ground.instances if instance.head is not None and _fires(instance, status)]",
    ),
    "more is remembered, and what is chosen without need follows from the other choices": (
        "clingo/stability.py::steered_predicates: the condition is always true in if levels and "
        "analysis.shown != analysis.intensional:",
    ),
    "a run is begun by an atom that matches, at whatever time": (
        "contents.py::_Steady.settle: a condition of a comprehension is dropped in current = self._fixed"
        " | {row for row in steady if row is not None}",
    ),
    "of a rule whose literals are all satisfied, none is contradicted": (
        "answer_update/search.py::_Labeling._contradict: 0 becomes 1 in if self.open[number] < 0:",
    ),
    "it joins the data when the next evaluation begins, which is the first to see it": (
        "arrivals_for_readings.py::ArrivalsForReadings.record: Gt becomes GtE in if time > self._now:",
    ),
    "a bound that is no small integer is a term, which clingo takes for greater than all integers": (
        "clingo/functions.py::_bound: FloorDiv becomes Mult in return max(-INTEGER_LIMIT // 2, min(time, "
        "INTEGER_LIMIT // 2)) if isinstance(time, int) else None (2)",
    ),
    "no atoms at a time, or no such time": (
        "jtms/grounding.py::Grounding._possible: the condition is never true in if not points.pinned[time]:",
    ),
    "clingo reads `p()` as `p`": (
        'clingo/windows.py::atom_text: the condition is always true in return f"{name}({inside})" if inside else name',
    ),
    "a term that is not computed has a value": (
        'clingo/heads.py::_variants: a condition of a comprehension is dropped in valued = (f"{pin}A{place} = '
        '{args[place]}" for place, arg in enumerate(head.atom.args) if is_computed(arg))',
    ),
    "everything is labelled anew": ("answer_update/stratum.py::_kept: Lt becomes LtE in if previous.time < 0:",),
    "a rule outside the region that becomes valid is a contradiction there, and everything is labelled anew": (
        "jtms/search.py::Search.run: the condition is never true in if self._network.label[node] is OUT:",
        "jtms/network.py::JustificationNetwork.add_spoiler: BitOr becomes BitAnd in self._rest_on(node, "
        "self.support[node] | {spoiler})",
    ),
    "nothing is recorded, so nothing joins the data": (
        "jtms/reasoner.py::JtmsReasoner._evaluate: the condition is always true in if self._analysis.recorded:",
    ),
    "symbols are compared by the language's own order, reserved words among themselves and with integers alike": (
        "clingo/adapter.py::is_ordered_alike: NotIn becomes In in return SYMBOL.match(item) is not None and item "
        "not in RESERVED",
    ),
    "what is compared is compared by the language's own order": (
        "clingo/terms.py::TermText.compared: the condition is never true in if self._native and plain:",
        "clingo/adapter.py::is_ordered_alike: the condition is never true in if isinstance(item, str):",
    ),
    "more is relabelled than is needed": (
        "answer_update/network.py::LabelNetwork.affected: a condition of a comprehension is dropped in for head in "
        "self.head_consequences(atom)",
        "answer_update/network.py::LabelNetwork.at_consequences: the condition is always true in return "
        "{PlainAtom(atom.fact)} if isinstance(atom, Pinned) else set()",
    ),
    "the program is ground anew at every evaluation": (
        "clingo/standing.py::can_stand: Is becomes IsNot in return all(reading.quantifier is Quantifier.NOW for "
        "reading in encoding.readings) and all(",
    ),
    "keys without data are kept for a time point more": ("clingo/per_key.py::_reach: 0 becomes 1 in longest = 0",),
    "it leaves and enters again at once, with the same result": (
        "jtms/instances.py::RulePlan.__init__: and becomes or, or becomes and in either_way = len(rule.heads) > 1 and "
        "any(head.time is not None for head in rule.heads)",
        "jtms/instances.py::RulePlan.__init__: Gt becomes GtE in either_way = len(rule.heads) > 1 and "
        "any(head.time is not None for head in rule.heads)",
        "jtms/views.py::WindowView._passed: a condition of a comprehension is dropped in return {time for time in "
        "pinned if (time in before) != (time in after)}",
    ),
    "a body that is contradicted has fewer open literals than none": (
        "answer_update/search.py::_Labeling.start: 1 becomes 2 in unsettled = -1",
    ),
    "nothing lies before the time point 0": (
        "answer_update/stratum.py::_so_far: the condition is always true in return intersect(previous.intervals.get("
        "node, ()), ((0, time - 1),)) if time else ()",
    ),
    "what no rule supports is unfounded, too, and a branch that leads nowhere is searched again": (
        "jtms/search.py::Search._propagate: the condition is never true in elif label is UNKNOWN and "
        "all(network.invalid(rule) for rule in rules):",
        "jtms/search.py::Search._propagate: the condition is never true in if self._is_refuted(node):",
        "jtms/search.py::Search._follow: the condition is never true in if self._is_refuted(node):",
    ),
    "the order of joins": (
        "jtms/instances.py::RulePlan._join: max becomes min in number = max(order, key=lambda one: sum(name in "
        "binding for name in self.sources[one].columns))",
        "jtms/instances.py::RulePlan._join: In becomes NotIn in number = max(order, key=lambda one: sum(name in "
        "binding for name in self.sources[one].columns))",
    ),
    "a limit that no program of this size reaches": (
        "jtms/search.py::Search.run: 1 becomes 2 in taken_back += 1",
        "jtms/search.py::Search.run: 0 becomes 1 in taken_back = 0",
        "jtms/search.py::Search.run: Gt becomes GtE in if taken_back > self._limit:",
    ),
    "before a guess all that follows has been labelled, and it is so again when the guess is taken back": (
        "jtms/search.py::Search.run: Is becomes IsNot in pending = [node for node in self._region if "
        "self._network.label[node] is UNKNOWN]",
    ),
    "where nothing has been touched there is no answer to give": (
        "jtms/reasoner.py::JtmsReasoner._settle: the condition is always true in if self._grounding.questions(level):",
    ),
    "keys are asked, or kept, though nothing changes for them": (
        "clingo/per_key.py::_without_data: the condition is always true in if not any(signature in "
        "analysis.extensional for signature in bare):",
        "clingo/per_key.py::_shows_the_clock: False becomes True in return False",
        "clingo/per_key.py::PerKey._decided: the condition is never true in elif self._timeless:",
        "clingo/per_key.py::PerKey.next_change: the condition is always true in return self._time + 1 if self._awake "
        "else None",
    ),
    "a decimal without a rest becomes an integer": (
        'clingo/adapter.py::value: the condition is never true in return int(number) if term.name == "big" else '
        "normal(Decimal(number))",
    ),
    "a comparison that is neither computable nor decided is chosen only where the analysis has refused the program": (
        "answer_update/literals.py::LiteralReader._prepared: and becomes or, or becomes and in case "
        "ComparisonLiteral(comparison, False) if (computable := _computable(comparison, known)) and not (",
    ),
    "nobody asks for the rules that read what is decided below the stratum": (
        "answer_update/nodes.py::extended: the condition is never true in if seen.view.windows:",
        "answer_update/nodes.py::extended: Is becomes IsNot in return PlainAtom(seen.fact) if seen.time is "
        "None else Pinned(seen.time, seen.fact)",
    ),
    "parentheses that are not needed": (
        'clingo/terms.py::TermText._factor: the condition is always true in return f"({written})" if '
        'written.startswith("-") else written',
    ),
    "values are compared by functions of the language, which clingo would compare alike": (
        "clingo/order.py::_tests: True becomes False in return True",
    ),
    "a node that is founded already": ("jtms/search.py::Search._unfounded: a jump is dropped in break",),
}
SOLVERS_CHANGE_NO_ANSWER = {fault: reason for reason, faults in BY_REASON.items() for fault in faults}
