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

CHANGES_NO_ANSWER = {
    f"{_THROUGH_TIME}the condition is always true in if valid:": "what has no interval is left out by `look`",
    f"{_THROUGH_TIME}1 becomes 2 in ahead = points(window.hop) or 1": "a hop is at least 1",
    "answer_update/network.py::LabelNetwork.__init__: the condition is always true in if instance.head is not None:": (
        "nobody asks for the rules of no head"
    ),
    "interval/lowering/lower_rules.py::RuleLowering.fresh: 1 becomes 2 in self._fresh += 1": "other names",
    "jtms/search.py::Search.run: the condition is never true in if taken_back > self._limit:": (
        "a limit that no program of this size reaches"
    ),
    "jtms/views.py::AlwaysView.__init__: False becomes True in self.recursive = False": "every view is told afterwards",
}
"""By `file::function: change in what`: single faults in functions that are about answers otherwise."""
