"""Reasoners beside the judge: the definition is evaluated once per scenario, and every reasoner compared with it."""

from __future__ import annotations

import signal
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from types import FrameType

from larspark.analysis.analysis import Analysis
from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import walk
from larspark.language.tree import At
from larspark.reasoners.answer_update.nodes import PlainAtom
from larspark.reasoners.answer_update.reasoner import AnswerUpdateReasoner
from larspark.reasoners.clingo.stability import SHOWN, steered_predicates
from larspark.reasoners.protocol import Answer, AnswerStream, Change, Foreseeing, Reasoner
from larspark.reasoners.reference import ReferenceReasoner
from larspark.reasoners.registry import make_reasoner
from larspark.runtime.admission import Admission
from support.evaluations import Step, Way
from support.limits import small_limits
from support.random_programs import CALENDAR, FUNCTIONS, Scenario

Atoms = frozenset[tuple[int, Fact]]

REASONERS = ("interval", "clingo", "jtms", "answer-update")
ALL_MODELS = ("clingo", "answer-update")
"""Those that can list all answer streams; the others have one."""
OBJECTIONS = ("E507", "E511", "E512", "E513", "E514", "E515", "E516", "E517", "E519")
"""What `check` says of a program; no reasoner may find it out later."""
SECONDS = 2.0
"""How long the judge or a reasoner may take for one scenario until it is put aside as too dear."""


class TooDear(Exception):
    """The work for a scenario is not worth it."""


@contextmanager
def bounded(seconds: float = SECONDS) -> Iterator[None]:
    """Ends what computes longer, however busy the machine is, by `TooDear`; only in the main thread."""

    def ring(number: int, frame: FrameType | None) -> None:
        if frame is None or frame.f_code.co_name != "gc_callback":  # what is raised there is lost; it rings again
            raise TooDear

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.25)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def analysed(scenario: Scenario) -> Analysis:
    known = {fact.signature for fact in scenario.background}
    return analyse(scenario.program, background=known, allow_functions=True)


@dataclass(frozen=True)
class Judged:
    """What the definition says at each step, as far as it was evaluated."""

    scenario: Scenario
    analysis: Analysis
    steps: tuple[Step, ...]
    expected: tuple[tuple[Atoms, ...], ...]
    """All answer streams at each step."""
    refused: str | None = None
    """Why the judge stopped: the code of its diagnostic, or `dear`."""

    @property
    def conclusive(self) -> bool:
        """Whether some answer stream has atoms."""
        return any(streams and any(streams) for streams in self.expected)


@dataclass(frozen=True)
class Outcome:
    """How a reasoner did: agrees, refused, dear, differs, crashes."""

    kind: str
    detail: str = ""

    @property
    def wrong(self) -> bool:
        return self.kind in ("differs", "crashes")


def judge(scenario: Scenario, way: Way) -> Judged:
    """The definition at every step; where conclusions are recorded, up to the first choice among answer streams."""
    analysis = analysed(scenario)
    steps = tuple(way(scenario))
    expected: list[tuple[Atoms, ...]] = []
    try:
        analysis.require()
        admission = Admission(analysis)
        if objections := [one for _, fact in scenario.stream.input if (one := admission.objection(fact))]:
            raise Rejected(objections)
        with bounded():
            reasoner = ReferenceReasoner(
                analysis, scenario.background, scenario.stream.start, functions=FUNCTIONS, calendar=CALENDAR
            )
            for number, (time, arriving) in enumerate(steps):
                if number and analysis.recorded and _chooses(reasoner, range(steps[number - 1].time + 1, time)):
                    break
                reasoner.advance(time, arriving)
                found = tuple(atoms(time, one) for one in reasoner.answer(None).answer_streams)
                if len(found) > 1 and analysis.recorded:
                    break
                expected.append(found)
    except Rejected as rejected:
        return Judged(scenario, analysis, steps, tuple(expected), _code(rejected))
    except TooDear:
        return Judged(scenario, analysis, steps, tuple(expected), "dear")
    return Judged(scenario, analysis, steps, tuple(expected))


def _chooses(reasoner: ReferenceReasoner, passed: range) -> bool:
    """Whether there is a choice at a time point that is passed over: what is recorded there hangs on it."""
    for time in passed:
        reasoner.advance(time)
        if len(reasoner.answer(None).answer_streams) > 1:
            return True
    return False


def compare(name: str, judged: Judged) -> Outcome:
    """One reasoner over all steps the judge has seen: answers, and the changes that add up to them."""
    if judged.analysis.accepts[name]:
        return Outcome("refused", judged.analysis.accepts[name][0].code)
    return outcome(lambda: _same(name, judged), judged.scenario)


def outcome(run: Callable[[], str], scenario: Scenario) -> Outcome:
    """Of something that tells what differs; every other scenario is run by reasoners that tidy up at once."""
    try:
        with bounded(), small_limits() if len(scenario.stream.input) % 2 else nullcontext():
            difference = run()
    except Rejected as rejected:
        code = _code(rejected)
        return Outcome("differs", f"{code} only when it runs") if code in OBJECTIONS else Outcome("refused", code)
    except TooDear:
        return Outcome("dear")
    except Exception:
        return Outcome("crashes", traceback.format_exc(limit=-4))
    return Outcome("differs", difference) if difference else Outcome("agrees")


def _same(name: str, judged: Judged) -> str:
    """What differs, or nothing."""
    scenario = judged.scenario
    reasoner = make_reasoner(
        name, judged.analysis, scenario.background, scenario.stream.start, functions=FUNCTIONS, calendar=CALENDAR
    )
    total, foresight, labels = Total(), Foresight(scenario.stream.start), Labels()
    before: AnswerStream | None = None
    if reasoner.answer(None).answer_streams != (AnswerStream(),):
        return f"{reasoner.answer(None)} before the first evaluation"
    pinned = any(isinstance(node, At) for rule in judged.analysis.program.rules for node in walk(rule.head))
    for (time, arriving), expected in zip(judged.steps, judged.expected, strict=False):
        change = reasoner.advance(time, arriving)
        where = f"at {time}" + (f" after {' '.join(map(str, arriving))}" if arriving else "")
        if isinstance(reasoner, Foreseeing) and (difference := foresight.objection(change, arriving, reasoner)):
            return f"{where}: {difference}"
        if difference := total.add(change, reasoner.answer()) or _answers(name, time, reasoner, expected):
            return f"{where}: {difference}"
        chosen = next(iter(reasoner.answer().answer_streams), None)
        if not pinned and (difference := _left(name, judged, time, before, chosen, expected)):
            return f"{where}: {difference}"
        before = chosen
        if not judged.analysis.recorded and (difference := labels.objection(time, reasoner, expected)):
            return f"{where}: {difference}"
    return ""


def _left(
    name: str, judged: Judged, time: int, before: AnswerStream | None, chosen: AnswerStream | None, now: Sequence[Atoms]
) -> str:
    """A choice is kept as long as it is an answer stream, and by clingo else what of it can be kept.

    What an earlier choice is later in time is clear without `@` in heads.
    """
    if before is None or chosen is None or len(now) == 1:
        return ""
    kept, found = atoms(time, before), atoms(time, chosen)
    if (kept in now and found != kept) or (name == "clingo" and _closer(judged.analysis, kept, found, now)):
        return f"{told([found])} instead of {told([kept])} as before, of {told(now)}"
    return ""


def _closer(analysis: Analysis, kept: Atoms, found: Atoms, answers: Sequence[Atoms]) -> bool:
    """Whether another answer stream agrees with what was shown in more, or in as much and keeps more of all else."""
    levels = steered_predicates(analysis)
    if any(signature.hidden for signature in levels):
        return False  # what stands for parts of formulas is kept as well
    shown = {signature for signature, level in levels.items() if level == SHOWN}
    others = set(levels) - shown
    changed, lost = _of(shown, found ^ kept), _of(others, kept - found)
    return any(
        _of(shown, one ^ kept) < changed or (not _of(shown, one ^ found) and _of(others, kept - one) < lost)
        for one in answers
    )


def _of(signatures: Collection[Signature], atoms: Atoms) -> Atoms:
    return frozenset((at, fact) for at, fact in atoms if fact.signature in signatures)


def _answers(name: str, time: int, reasoner: Reasoner, expected: Sequence[Atoms]) -> str:
    if name in ALL_MODELS:
        found = [atoms(time, one) for one in reasoner.answer(None).answer_streams]
        if Counter(found) != Counter(expected):
            return f"answer streams {told(found)} instead of {told(expected)}"
    chosen = [atoms(time, one) for one in reasoner.answer().answer_streams]
    if bool(chosen) != bool(expected) or any(one not in expected for one in chosen):
        return f"answer {told(chosen)} instead of {told(expected)}"
    return ""


class Foresight:
    """When a reasoner says that its answer may change next."""

    def __init__(self, start: int) -> None:
        self.foreseen: int | None = start
        self._consistent = True

    def objection(self, change: Change, arriving: Sequence[Fact], reasoner: Foreseeing) -> str:
        """What is wrong with the change, given what was foreseen before it, or with what is foreseen now."""
        same = change == Change(change.time, consistent=self._consistent)
        if not arriving and not same and (self.foreseen is None or change.time < self.foreseen):
            return f"{change}, though nothing was to change before {self.foreseen}"
        self.foreseen, self._consistent = reasoner.next_change(), change.consistent
        if self.foreseen is not None and self.foreseen <= change.time:
            return f"a change at {self.foreseen} is foreseen"
        return ""


class Labels:
    """Since when and until when atoms hold for sure, as the labels of answer-update say, whatever arrives.

    Not with records: what is recorded about an earlier time is labelled as if it had been known then.
    """

    def __init__(self) -> None:
        self._held: dict[int, frozenset[Fact]] = {}
        self._promised: dict[Fact, tuple[int, int]] = {}
        """When it was said, and until when it holds."""

    def objection(self, time: int, reasoner: Reasoner, expected: Sequence[Atoms]) -> str:
        """What is wrong with the labels of the atoms that hold now, given what the judge said before, or says now."""
        if not isinstance(reasoner, AnswerUpdateReasoner):
            return ""
        if len(expected) != 1:  # they are about one answer stream, as long as there is a choice
            self._held, self._promised = {}, {}
            return ""
        now = self._held[time] = frozenset(fact for at, fact in expected[0] if at == time)
        for fact, (said, until) in self._promised.items():
            if said < time <= until and fact not in now:
                return f"{fact} was to hold until {until}, as was said at {said}"
        for node, intervals in ((node, one) for state in reasoner.states for node, one in state.intervals.items()):
            if isinstance(node, PlainAtom) and not node.fact.signature.hidden:
                ((since, until),) = intervals
                if not since <= time <= until:
                    return f"{node.fact} holds now, and its label says {intervals}"
                if never := [at for at, held in self._held.items() if since <= at < time and node.fact not in held]:
                    return f"{node.fact} has not held since {since}: not at {never}"
                self._promised[node.fact] = time, until
        return ""


class Total:
    """The sum of changes."""

    def __init__(self) -> None:
        self.now: set[Fact] = set()
        self.pinned: set[tuple[int, Fact]] = set()

    def add(self, change: Change, answer: Answer) -> str:
        """What is wrong with the change, given the answer after it."""
        streams = answer.answer_streams
        if change.consistent != bool(streams):
            return f"the change says {change.consistent} for an answer stream, the answer {bool(streams)}"
        for kind, arriving, leaving, held in (
            ("now", change.appeared, change.disappeared, self.now),
            ("pinned", change.pinned, change.unpinned, self.pinned),
        ):
            if arriving & held or leaving - held:
                again, never = told([arriving & held]), told([leaving - held])
                return f"the change adds {again} ({kind}) again, or takes away {never}, which was not there"
        self.now = self.now - change.disappeared | change.appeared
        self.pinned = self.pinned - change.unpinned | change.pinned
        stream = streams[0] if streams else AnswerStream()
        if self.now != stream.now or self.pinned != {(at, fact) for at, facts in stream.at.items() for fact in facts}:
            return f"the changes add up to {told([self.now | self.pinned])}, the answer is {stream}"
        return ""


def atoms(time: int, stream: AnswerStream) -> Atoms:
    """An answer stream in the form of the judge, without what stands for parts of formulas."""
    pinned = ((at, fact) for at, facts in stream.at.items() for fact in facts)
    both = [*pinned, *((time, fact) for fact in stream.now)]
    return frozenset((at, fact) for at, fact in both if not fact.signature.hidden)


def told(streams: Sequence[frozenset[object] | set[object]]) -> str:
    """Sets of atoms as text."""
    return " or ".join("{" + ", ".join(sorted(map(_told, stream))) + "}" for stream in streams) or "none"


def _told(atom: object) -> str:
    return str(atom) if isinstance(atom, Fact) else "@{} {}".format(*atom)  # type: ignore[misc]


def _code(rejected: Rejected) -> str:
    return rejected.diagnostics[0].code
