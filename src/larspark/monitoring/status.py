"""Why there is no output yet, in one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.occurrences import head_atoms
from larspark.analysis.typing.arguments import positive_atoms
from larspark.language.facts import Signature
from larspark.language.printing.printer import show
from larspark.language.traversal import walk
from larspark.language.tree import TimeWindow, Windowed
from larspark.write.times import TimeWriter


@dataclass(frozen=True)
class Situation:
    """How far a run is."""

    inputs: Mapping[str, int | None]
    """The latest time of each input; None: it has said nothing."""
    awaited: Sequence[str] = ()
    """Those of which the slowest decides what is final."""
    first: int | None = None
    watermark: int | None = None
    """What is final; None: everything that has come."""
    lateness: int = 0
    answers: int = 0
    fed: frozenset[Signature] | None = None
    """The predicates of which atoms have come, where that is known."""
    refused: int = 0
    """Bad records."""

    @property
    def seen(self) -> int | None:
        return max((time for time in self.inputs.values() if time is not None), default=None)


def status(now: Situation, analysis: Analysis, times: TimeWriter) -> str:
    """The input that is silent, the name that nothing feeds, the window that has not filled; or how much has come."""
    if now.answers:
        return f"{now.answers} answers; {_final(now, times)}"
    bad = f"; {now.refused} bad records were refused" if now.refused else ""
    return f"{_why_none(now, analysis, times)}{bad}"


def _why_none(now: Situation, analysis: Analysis, times: TimeWriter) -> str:
    if now.seen is None:
        return f"no output yet: nothing has come from {_listed(now.inputs)}"
    silent = [name for name in now.awaited if now.inputs.get(name) is None]
    if silent:
        return f"no output yet: {_listed(silent)} is silent, and answers wait for it (`awaited: false` lets them go on)"
    if now.watermark is not None and (now.first is None or now.watermark < now.first):
        waits = f"atoms may be {now.lateness} time points late" if now.lateness else "its last time point may go on"
        return f"no output yet: nothing is final, the latest atom is of {times.text(now.seen)}, and {waits}"
    unfed = [] if now.fed is None else _unfed(analysis, now.fed)
    missing = f"no atom of {_listed(map(str, unfed))} has come"
    if now.fed is not None and not _possible(analysis, now.fed) & analysis.shown and unfed:
        others = sorted(now.fed - analysis.extensional - analysis.background)
        instead = f", but of {_listed(map(str, others))}, which no rule reads" if others else ""
        return f"no output yet: {missing}{instead}; {_final(now, times)}"
    reached = now.seen if now.watermark is None else now.watermark
    for literal, hop in _hopping(analysis):
        passed = (reached or 0) - (now.first or 0)
        if passed < hop:
            return f"no output yet: `{show(literal)}` moves every {hop} time points, of which {passed} have passed"
    beside = f", and {missing}" if unfed else ""
    return f"no output yet: no rule has given an answer{beside}; {_final(now, times)} (ask `larspark why-not`)"


def _possible(analysis: Analysis, fed: Set[Signature]) -> set[Signature]:
    """The predicates that may be concluded from those of which atoms have come."""
    found = {*fed, *analysis.background}
    rules = [({atom.signature for atom in positive_atoms(rule.body)}, rule) for rule in analysis.program.rules]
    while more := {head.signature for needed, rule in rules if found >= needed for head in head_atoms(rule)} - found:
        found |= more
    return found


def _unfed(analysis: Analysis, fed: Set[Signature]) -> list[Signature]:
    """The inputs that a rule needs and of which nothing has come; what is negated is not waited for."""
    needed = {atom.signature for rule in analysis.program.rules for atom in positive_atoms(rule.body)}
    return sorted(needed & analysis.extensional - fed)


def _final(now: Situation, times: TimeWriter) -> str:
    reached = now.seen if now.watermark is None else now.watermark
    return "nothing has come" if reached is None else f"everything up to {times.text(reached)} is final"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "any input"


def _hopping(analysis: Analysis) -> Iterator[tuple[Windowed, int]]:
    """The windows that move by steps of several time points."""
    for reader in analysis.program.readers:
        for node in walk(reader):
            match node:
                case Windowed(TimeWindow(hop=int(hop))) if hop > 1:
                    yield node, hop
