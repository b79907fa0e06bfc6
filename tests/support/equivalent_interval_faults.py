"""Seeded faults of the interval reasoner that change no answer, each with the reason."""

from __future__ import annotations

INTERVAL = {
    "interval/state/dictionary.py::Dictionary.translate: the condition is always true in if self._spellings is None:": (
        "values one by one instead of by their spellings"
    ),
    "interval/lowering/lower_aggregates.py::AggregateLowering.ranked: the condition is always true in if key "
    "not in rule.views.lists:": ("the same list a second time"),
    "interval/lowering/views.py::Views._now: the condition is never true in if reading.quantifier is not "
    "Quantifier.AT and selected.sliding:": ("what holds now is looked at time point by time point"),
    "interval/lowering/views.py::Views._code: the condition is never true in if not isinstance(term, Constant):": (
        "bounds that are no constants are conditions of the rule, and do not come here"
    ),
    "interval/state/tables.py::widest_call: 0 becomes 1 in return max((len(part.args) for rule in rules for "
    "part in rule.body if isinstance(part, Compute)), default=0)": ("more room than is needed"),
    "interval/engine/log.py::InputLog._gather: 1 becomes 2 in rows = np.array(numbers, np.int64).reshape(-1, "
    "signature.arity + 2)": ("any negative size stands for the one that follows from the others"),
    "interval/operators/counting.py::key_width: 0 becomes 1 in return next((len(keys) for keys in (node.keys "
    "or {}).values()), 0)": ("a key more, which is the same for all"),
    "interval/answers/answers.py::_exchange: the condition is always true in target |= facts - back if back "
    "else facts": ("facts without none of them"),
    "interval/operators/exact_groups.py::ExactGroups.change: True becomes False in for (target, between), "
    "(before, now) in zip(self._outlets, moves, strict=True):": ("both have the same length"),
    "interval/engine/evaluation.py::StreamEvaluation._evaluated: the condition is always true in if "
    "arrivals.earliest <= self.over(until):": ("what is in time is kept anyway"),
}
"""As in `equivalent_faults.CHANGES_NO_ANSWER`."""
