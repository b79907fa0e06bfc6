"""The conformance cases that every door takes, as programs that run side by side where they do not disturb each other.

A case says what holds at one time point, or what is put out at each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from conformance.closed_timelines import CLOSED_TIMELINE
from larspark.analysis.pipeline import analyse
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.traversal import walk
from larspark.language.tree import RegisteredWindow
from larspark.reasoners.registry import make_reasoner
from larspark.spark.plan.plan import make_plan
from support.doors import Answers, Atom, atom
from support.side_by_side import Piece, side_by_side
from support.vectors import Case, facts_by_time

NOT_AT_DOORS = {
    "window functions": "a window function supplied in Python does not travel to the partitions",
    "declared": "declares a head predicate extensional, which a program cannot say",
    "closed": "about the end of a closed timeline, which is open in a reasoner",
    "several": "several answer streams or none; a table shows one",
    "later": "data arrives after the evaluation",
    "refused": "full LARS, or not safe",
}
"""Why a case is left to the judge and the other reasoners."""


@dataclass(frozen=True)
class Wanted:
    """What a case says, by evaluation time: atoms with the time point at which they hold."""

    name: str
    piece: Piece
    start: int
    answers: dict[int, frozenset[tuple[int, Fact]]]
    now_only: bool
    """Only what holds at the evaluation time is told."""

    @property
    def end(self) -> int:
        return max(self.answers)


@dataclass(frozen=True)
class Together:
    """Cases in one run."""

    parts: tuple[Wanted, ...]

    @property
    def start(self) -> int:
        return self.parts[0].start

    @property
    def end(self) -> int:
        return max(part.end for part in self.parts)

    @property
    def piece(self) -> Piece:
        return side_by_side([part.piece for part in self.parts])

    def __str__(self) -> str:
        return f"{self.parts[0].name}+{len(self.parts) - 1}" if len(self.parts) > 1 else self.parts[0].name

    def check(self, answers: Answers, seen: Callable[[set[Atom], int], set[Atom]]) -> None:
        """Compare with what each case says, as far as the door tells of it."""
        for number, part in enumerate(self.parts):
            own = {time: _of_part(number, atoms) for time, atoms in answers.items()}
            for at in part.answers.keys() & own.keys():
                found = {one for one in own[at] if one[0] == at or not part.now_only}
                expected = seen({atom(time, fact) for time, fact in part.answers[at]}, at)
                assert found == expected, (part.name, at)


def _of_part(number: int, atoms: set[Atom]) -> set[Atom]:
    ending = f"_{number}"
    return {(time, name.removesuffix(ending), args) for time, name, args in atoms if name.endswith(ending)}


def together(cases: Iterable[Case]) -> list[Together]:
    """All cases that the doors take."""
    return grouped([_wanted(case) for case in cases if obstacle(case) is None])


def grouped(taken: Iterable[Wanted]) -> list[Together]:
    """Those that must be alone are."""
    groups: dict[tuple[int, str], list[Wanted]] = defaultdict(list)
    for wanted in taken:
        groups[wanted.start, _reasoner(wanted)].append(wanted)
    found: list[Together] = []
    for group in groups.values():
        end = max(wanted.end for wanted in group)
        social = [wanted for wanted in group if not wanted.piece.alone and _consistent(wanted, end)]
        found += [Together(tuple(social))] if social else []
        found += [Together((wanted,)) for wanted in group if wanted not in social]
    return found


def obstacle(case: Case) -> str | None:
    """Why a case does not come to the doors, a key of `NOT_AT_DOORS`."""
    if any(isinstance(node, RegisteredWindow) for node in walk(case.program)):
        return "window functions"
    if "intensional" in case.data:
        return "declared"
    if not _taken(case):
        return "refused"
    outcome = case["expect"]
    if "closed_timeline" in outcome or case.id in CLOSED_TIMELINE:
        return "closed"
    if case.kind != "output_stream" and len(outcome["answer_streams"]) != 1:
        return "several"
    if case.kind != "output_stream" and any(time > _at(case) for time, _ in _piece(case).arrivals):
        return "later"
    return None


def _taken(case: Case) -> bool:
    try:
        make_plan(analyse(case.program, background={fact.signature for fact in case.background}), case.background)
    except Rejected:
        return False
    return True


def _at(case: Case) -> int:
    return int(case["t"] if case.kind == "answer_stream" else case["at"])


def _piece(case: Case) -> Piece:
    return Piece(case.program, tuple((arrival.time, arrival.fact) for arrival in case.stream.input), case.background)


def _wanted(case: Case) -> Wanted:
    start, end = case["stream"]["timeline"]
    if case.kind == "output_stream":
        output = facts_by_time(case["expect"]["output"])
        answers = {time: frozenset((time, fact) for fact in output.get(time, ())) for time in range(start, end + 1)}
        return Wanted(case.id, _piece(case), start, answers, True)
    (answer,) = case["expect"]["answer_streams"]
    atoms = frozenset((time, fact) for time, facts in facts_by_time(answer).items() for fact in facts)
    return Wanted(case.id, _piece(case), start, {_at(case): atoms}, False)


def _reasoner(wanted: Wanted) -> str:
    return "clingo" if wanted.piece.plan.chooses else "interval"


def _consistent(wanted: Wanted, end: int) -> bool:
    """Whether there is an answer stream at every time up to the end; where there is none, there is none for others."""
    piece = wanted.piece
    engine = make_reasoner(_reasoner(wanted), piece.plan.analysis, piece.background, wanted.start)
    arriving: dict[int, list[Fact]] = defaultdict(list)
    for time, fact in piece.arrivals:
        arriving[time].append(fact)
    return all(engine.advance(time, arriving[time]).consistent for time in range(wanted.start, end + 1))
