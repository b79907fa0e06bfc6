"""Seeded faults that change no answer, each with the reason: they are not counted as missed."""

from __future__ import annotations

NOT_ABOUT_ANSWERS = {
    "interval/display/describe.py": "tells a person how a program runs",
    "interval/display/wording.py": "words of that",
    "interval/planning/statistics.py": "sizes of relations, for the order of joins",
    "interval/planning/planning.py": "the order of joins",
    "interval/planning/ordering.py": "the order of joins",
    "interval/sampling.py": "the order of joins",
    "answer_update/literals.py::_urgency": "the order of joins",
    "interval/lowering/binding.py::Bindings.binders": "how much of a body restricts what is asked for",
    "answer_update/grounding.py::Grounding._add": "a limit that no program of this size reaches",
    "interval/state/dictionary.py::Dictionary.encode_rows": "the quick way for small integers",
    "interval/state/dictionary.py::Dictionary.encode_all": "the quick way for values that are known",
    "interval/state/arrivals.py::Arrivals.cut": "how large parts are",
    "jtms/network.py::Network.deregister": "what is forgotten",
    "history.py::_reach": "how long what no window sees is kept",
    "registry.py": "names of reasoners",
    "protocol.py": "types",
    "jtms/increments.py": "prints the encoding",
    "jtms/annotations.py": "prints the encoding",
}
"""Files, or functions, in which a fault changes cost and no answer."""

CHANGES_NO_ANSWER: dict[str, str] = {}
"""By `file::function: change in what`: single faults in functions that are about answers otherwise."""
