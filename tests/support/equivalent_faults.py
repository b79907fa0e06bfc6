"""Seeded faults that change no answer, each with the reason: they are not counted as missed."""

from __future__ import annotations

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
    "registry.py": "names of reasoners",
    "protocol.py": "types",
    "jtms/increments.py": "prints the encoding",
    "jtms/annotations.py": "prints the encoding",
}
"""Files, or functions, in which a fault changes cost and no answer."""

_THROUGH_TIME = "answer_update/views.py::_through_time_window: "
_ENGINE = "interval/engine/engine.py::IntervalEngine."

CHANGES_NO_ANSWER = {
    f"{_THROUGH_TIME}the condition is always true in if valid:": "what has no interval is left out by `look`",
    f"{_THROUGH_TIME}1 becomes 2 in ahead = points(window.hop) or 1": "a hop is at least 1",
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
    f"{_ENGINE}_told: the condition is always true in "
    "if len(arrivals.batches) != 1:": "the quick way for one predicate",
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
    "interval/lowering/views.py::Views.given_at: the condition is never true in "
    "if selected is None or selected.sizes:": ("the analysis has refused it"),
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
}
"""By `file::function: change in what`: single faults in functions that are about answers otherwise."""
