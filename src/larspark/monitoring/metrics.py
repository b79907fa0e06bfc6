"""Figures about a run that goes on, in the text format of Prometheus, and one line that says why there is no output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

MEANINGS = {
    "larspark_atoms_read_total": "Records that came, whatever became of them.",
    "larspark_source_rows_total": "Rows that Spark has read, by query and source.",
    "larspark_atoms_used_total": "Atoms that were evaluated.",
    "larspark_atoms_late_total": "Atoms whose time point was final when they came.",
    "larspark_records_refused_total": "Bad records, by the code of the reason.",
    "larspark_watermark": "The last time point whose answers are final.",
    "larspark_time_seen": "The latest time point of an atom.",
    "larspark_input_time_seen": "The same, of each input.",
    "larspark_held_back_by": "1 for the input that the watermark waits for.",
    "larspark_time_behind": "Time points between the latest atom, or the clock, and the watermark.",
    "larspark_answers_total": "Answers, by predicate.",
    "larspark_facts_kept": "Facts of the input that are kept.",
    "larspark_facts_bound": "Facts of the input within the reach that `larspark check` tells: no more are needed.",
    "larspark_retention": "How many time points back facts matter, as `larspark check` tells; -1: for ever.",
    "larspark_stage_seconds_total": "Time spent, by stage.",
    "larspark_state_bytes": "Memory of the state, by stage.",
    "larspark_state_entries": "Entries of the state, each with many facts, by stage.",
}
"""All that there are; those that end in `_total` only grow."""

Labels = tuple[tuple[str, str], ...]


@dataclass
class Metrics:
    """Figures by name and labels; filled by one thread, read by another."""

    before: Callable[[Metrics], None] = lambda _metrics: None
    """Called before they are read, for what is not worth counting all the time."""
    status: str = "starting"
    _values: dict[tuple[str, Labels], float] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def put(self, name: str, value: float | None, **labels: str) -> None:
        """What is not known is not told."""
        if value is not None:
            with self._lock:
                self._values[name, tuple(sorted(labels.items()))] = value

    def add(self, name: str, value: float = 1, **labels: str) -> None:
        key = (name, tuple(sorted(labels.items())))
        with self._lock:
            self._values[key] = self._values.get(key, 0) + value

    def clear(self, name: str) -> None:
        with self._lock:
            self._values = {key: value for key, value in self._values.items() if key[0] != name}

    def status_line(self) -> str:
        self.before(self)
        return f"{self.status}\n"

    def text(self) -> str:
        self.before(self)
        with self._lock:
            values = dict(self._values)
        lines = [f"# status: {self.status}"]
        for name, meaning in MEANINGS.items():
            own = {labels: value for (known, labels), value in values.items() if known == name}
            if own:
                kind = "counter" if name.endswith("_total") else "gauge"
                lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
                lines += [f"{name}{_braces(labels)} {value:.16g}" for labels, value in sorted(own.items())]
        return "\n".join(lines) + "\n"


def _braces(labels: Labels) -> str:
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels) + "}" if labels else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
