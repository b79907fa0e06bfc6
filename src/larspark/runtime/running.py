"""A reasoner at work on a prepared program: what differs between reasoners beyond `advance` and `answer`.

The interval reasoner changes rules and background under way and takes late atoms. The clingo reasoner saves its state.
The others are deterministic, so that their state is the calls that led to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from larspark.analysis.analysis import Analysis, Fragment
from larspark.analysis.formulas.lower_formulas import as_plain
from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.printing.printer import show_meaning
from larspark.reasoners.packing import damaged, pack, refused, unpack
from larspark.reasoners.protocol import Change, Reasoner
from larspark.runtime.prepared import Prepared

if TYPE_CHECKING:
    from larspark.reasoners.clingo import ClingoReasoner
    from larspark.reasoners.interval import IntervalReasoner
    from larspark.reasoners.interval.reasoner import Patterns

FORMAT, VERSION = "larspark snapshot", 1


class Running:
    """Any reasoner; what it cannot do is said."""

    def __init__(self, prepared: Prepared, name: str, start: int, lateness: int, reasoner: Reasoner) -> None:
        self.prepared, self.name, self.start, self.lateness = prepared, name, start, lateness
        self.reasoner = reasoner
        self.time: int | None = None

    @property
    def too_late(self) -> int:
        return 0

    def advance(self, time: int, facts: Sequence[Fact]) -> Change:
        earliest = self.require_time(time)
        change = self._shown(self.evaluate(time, facts))
        self.time = max(time, earliest)
        return change

    def require_time(self, time: int) -> int:
        """`Rejected` when nothing can arrive at this time any more; otherwise the present or first evaluation."""
        earliest = self.start if self.time is None else self.time
        if time < earliest and (time < self.start or not self.lateness):
            raise Rejected([_backwards(time, earliest)])
        return earliest

    def evaluate(self, time: int, facts: Sequence[Fact]) -> Change:
        return self.reasoner.advance(time, facts)

    def _shown(self, change: Change) -> Change:
        shown = shown_of(self.prepared.analysis)
        if shown is None:
            return change
        appeared, disappeared = (
            frozenset(one for one in facts if one.signature in shown) for facts in (change.appeared, change.disappeared)
        )
        pinned, unpinned = (
            frozenset(one for one in timed if one[1].signature in shown) for timed in (change.pinned, change.unpinned)
        )
        return Change(change.time, appeared, disappeared, pinned, unpinned, change.consistent)

    def change(self, prepared: Prepared) -> Change:
        """Go on with other rules or another background."""
        del prepared
        message = f"The {self.name} reasoner goes on with the rules and the background it began with."
        raise Rejected([Diagnostic("E509", message, "Use the interval reasoner, or start anew.")])

    @property
    def kept_rows(self) -> int:
        """How many arrivals are kept."""
        return 0

    def kept(self, patterns: Patterns | None = None) -> list[tuple[int, Fact]]:
        """The arrivals that the present answer depends on, or those of them that fit."""
        del patterns
        message = f"The {self.name} reasoner does not keep its input as it arrived."
        raise Rejected([Diagnostic("E566", message, "Ask about a recording, or use the interval reasoner.")])

    def snapshot(self) -> bytes:
        own = self.prepared
        return pack(
            {
                "format": FORMAT,
                "version": VERSION,
                "reasoner": self.name,
                "program": show_meaning(own.program),
                "background": own.background,
                "start": self.start,
                "time": self.time,
                "lateness": self.lateness,
                "state": self.state(),
            }
        )

    def state(self) -> object:
        raise NotImplementedError

    def resume(self, state: Any) -> None:
        raise NotImplementedError


class IntervalRunning(Running):
    reasoner: IntervalReasoner

    def advance(self, time: int, facts: Sequence[Fact]) -> Change:
        earliest = self.require_time(time)
        change = self.reasoner.advance(time, facts)  # follows nothing but what is shown
        self.time = time if time > earliest else earliest
        return change

    @property
    def too_late(self) -> int:
        return self.reasoner.too_late

    def change(self, prepared: Prepared) -> Change:
        prepared.require("interval")
        analysis, background = as_plain(prepared.analysis, prepared.background)
        change = self.reasoner.change_program(analysis, background, shown_of(prepared.analysis))
        self.prepared = prepared
        return change

    @property
    def kept_rows(self) -> int:
        return self.reasoner.kept_rows

    def kept(self, patterns: Patterns | None = None) -> list[tuple[int, Fact]]:
        return self.reasoner.kept(patterns)

    def state(self) -> object:
        return self.reasoner.snapshot()

    def resume(self, state: Any) -> None:
        own = self.prepared
        analysis, _ = as_plain(own.analysis, ())  # what stands for formulas has its background in the state
        self.reasoner = type(self.reasoner).restore(
            state, analysis, functions=own.functions, calendar=own.calendar, shown=shown_of(own.analysis)
        )


class ClingoRunning(Running):
    """Keeps a state and the calls since: a refused call is undone from them."""

    reasoner: ClingoReasoner

    def __init__(self, prepared: Prepared, name: str, start: int, lateness: int, reasoner: Reasoner) -> None:
        super().__init__(prepared, name, start, lateness, reasoner)
        self._base: bytes | None = None
        self._since: list[tuple[int, list[Fact]]] = []

    def evaluate(self, time: int, facts: Sequence[Fact]) -> Change:
        try:
            change = self.reasoner.advance(time, facts)
        except Rejected:
            self._go_back()
            raise
        self._since.append((time, list(facts)))
        if len(self._since) > _SLACK:
            self._base, self._since = self.reasoner.snapshot(), []
        return change

    def _go_back(self) -> None:
        self.reasoner = cast("ClingoReasoner", _made(self.prepared, self.name, self.start, self.lateness))
        if self._base is not None:
            self.reasoner.resume(self._base)
        for time, facts in self._since:
            self.reasoner.advance(time, facts)

    def state(self) -> object:
        return self.reasoner.snapshot()

    def resume(self, state: Any) -> None:
        self._base, self._since = state, []
        self._go_back()


class ReplayedRunning(Running):
    """Keeps the calls as far as they can still matter: all of them, unless windows bound what an answer depends on."""

    def __init__(self, prepared: Prepared, name: str, start: int, lateness: int, reasoner: Reasoner) -> None:
        super().__init__(prepared, name, start, lateness, reasoner)
        self._calls: list[tuple[int, list[Fact]]] = []
        self._reach = _reach(prepared.analysis)
        self._tolerated = _SLACK

    def evaluate(self, time: int, facts: Sequence[Fact]) -> Change:
        try:
            change = self.reasoner.advance(time, facts)
        except Rejected:
            self._replay()
            raise
        self._calls.append((time, list(facts)))
        if self._reach is not None and len(self._calls) > self._tolerated:
            self._forget(time - self._reach)
        return change

    def _forget(self, oldest: int) -> None:
        self._calls = [call for call in self._calls if call[0] >= oldest]
        self._tolerated = 2 * len(self._calls) + _SLACK

    def _replay(self) -> None:
        self.reasoner = _made(self.prepared, self.name, self.start, self.lateness)
        for time, facts in self._calls:
            self.reasoner.advance(time, facts)

    def kept(self, patterns: Patterns | None = None, few: int = 0) -> list[tuple[int, Fact]]:
        del patterns, few
        return [(time, fact) for time, facts in self._calls for fact in facts]

    def state(self) -> object:
        return self._calls

    def resume(self, state: Any) -> None:
        self._calls = [(int(time), list(facts)) for time, facts in state]
        self._replay()


_SLACK = 1024
"""How many calls more than twice the needed ones may be kept."""

_KINDS: dict[str, type[Running]] = {"interval": IntervalRunning, "clingo": ClingoRunning}


def started(prepared: Prepared, name: str, start: int, lateness: int) -> Running:
    """The reasoner of this name at the start of a timeline; `Rejected` when it does not take the program."""
    reasoner = _made(prepared, name, start, lateness)
    return _KINDS.get(name, ReplayedRunning)(prepared, name, start, lateness, reasoner)


def resumed(snapshot: bytes, prepared: Prepared) -> Running:
    """What a snapshot of the program was taken of."""
    saved = unpack(snapshot)
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise Rejected([damaged()])
    if saved["version"] != VERSION:
        raise Rejected([refused(f"The snapshot has version {saved['version']}, this is {VERSION}.")])
    if saved["program"] != show_meaning(prepared.program):
        raise Rejected([refused("The snapshot was taken of another program.")])
    prepared = prepared.with_background(saved["background"]).require()
    running = started(prepared, saved["reasoner"], saved["start"], saved["lateness"])
    running.resume(saved["state"])
    running.time = saved["time"]
    return running


def shown_of(analysis: Analysis) -> frozenset[Signature] | None:
    """The predicates that are shown, None where that is all that are derived."""
    derived = (analysis.lowered or analysis).intensional
    return None if analysis.shown >= derived else analysis.shown


def _made(prepared: Prepared, name: str, start: int, lateness: int) -> Reasoner:
    if name == "interval":
        return prepared.reasoner(name, start, lateness=lateness, shown=shown_of(prepared.analysis))
    if lateness:
        message = f"The {name} reasoner takes atoms in the order of time only."
        raise Rejected([Diagnostic("E509", message, "Use the interval reasoner, or leave `lateness` out.")])
    return prepared.reasoner(name, start)


def _reach(analysis: Analysis) -> int | None:
    """How far back calls can matter to a reasoner whose answer depends on the visible input alone; None: for ever."""
    if analysis.fragment not in (Fragment.POSITIVE, Fragment.STRATIFIED) or analysis.recorded:
        return None
    kept = [analysis.retention.get(signature) for signature in analysis.extensional]
    if any(one is None or one.past is None or one.by_arrivals for one in kept):
        return None
    return max((one.past for one in kept if one is not None and one.past is not None), default=0) + 1


def _backwards(time: int, current: int) -> Diagnostic:
    return Diagnostic(
        "E405",
        f"Time point {time} lies before {current}, where the evaluation is or begins.",
        "Bring the input into the order of time, or allow lateness.",
    )
