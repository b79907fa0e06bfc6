"""Other ways to the same answers: chunks and their history, snapshots, other rules, partitions as on Spark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from types import MappingProxyType

import numpy as np

from larspark.analysis.pipeline import analyse
from larspark.blocks import Block
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_program
from larspark.language.traversal import atoms as named_atoms
from larspark.language.tree import FunctionImport
from larspark.reasoners.clingo.reasoner import ClingoReasoner
from larspark.reasoners.interval import IntervalReasoner
from larspark.reasoners.interval.state.arrivals import Arrivals
from larspark.reasoners.interval.state.coding import Coder
from larspark.reasoners.interval.state.dictionary import Dictionary
from larspark.runtime.replay import Replay
from larspark.spark.plan.plan import make_plan
from support.bounded_runs import rows_in_partitions
from support.corrected import corrected
from support.interval_rows import Row
from support.random_programs import CALENDAR, FUNCTIONS
from support.verdicts import Atoms, Foresight, Judged, Outcome, Total, atoms, outcome, told

LATENESS = 2


def in_chunks(judged: Judged) -> str:
    """The interval reasoner takes several time points at once; the answer at the end of each chunk.

    Every other program gets them in columns; of some, the answer has every other predicate only.
    """
    derived = sorted({atom.signature for rule in judged.analysis.program.rules for atom in named_atoms(rule.head)})
    shown = frozenset(derived[:: 2 if len(judged.scenario.stream.input) % 3 == 1 else 1])
    reasoner, total = _interval(judged, shown=shown), Total()
    waiting: list[tuple[int, Fact]] = []
    for number, ((time, arriving), expected) in enumerate(zip(judged.steps, judged.expected, strict=False)):
        waiting += [(time, fact) for fact in arriving]
        if number % 3 == 2 or number == len(judged.expected) - 1:
            coded = _in_columns if len(judged.scenario.stream.input) % 4 < 2 else Arrivals.of
            change = reasoner.advance_batch(time, coded(waiting, reasoner.dictionary))
            waiting = []
            if difference := total.add(change, reasoner.answer()):
                return f"at {time}, in chunks: {difference}"
            found = [atoms(time, one) for one in reasoner.answer().answer_streams]
            wanted = [frozenset(one for one in stream if one[1].signature in shown) for stream in expected]
            if found != wanted:
                return f"at {time}, in chunks: {told(found)} instead of {told(wanted)}"
    return ""


def replayed(judged: Judged) -> str:
    """The history at once, or in several pieces: rows with intervals, as `eval --as intervals` writes them."""
    scenario, reasoner = judged.scenario, _interval(judged)
    arrivals = [(arrival.time, arrival.fact) for arrival in scenario.stream.input]
    size = max(1, (0, 1, 3, 5)[len(arrivals) % 4] or len(arrivals))
    pieces = (_blocks(arrivals[first : first + size], first) for first in range(0, len(arrivals), size))
    replay = Replay(reasoner, judged.analysis.shown)
    found = [row for block in replay.intervals(pieces, scenario.times[-1], used_up=True) for row in _rows_of(block)]
    expected = rows(judged)
    if len(found) == len(expected) and set(found) == expected:
        return ""
    twice = [row for row, count in Counter(found).items() if count > 1]
    return f"{_missing(set(found), expected, 'in the history')}, repeated {twice}"


def _rows_of(block: Block) -> Iterator[Row]:
    assert block.until is not None
    pinned = repeat(None, len(block)) if block.at is None else block.at.tolist()
    for fact, first, last, at in zip(block.facts(), block.times.tolist(), block.until.tolist(), pinned, strict=True):
        yield fact.predicate, fact.args, first, last, at


def _in_columns(arriving: Sequence[tuple[int, Fact]], dictionary: Dictionary) -> Arrivals:
    """What comes in blocks, one for each predicate: texts are read where somebody looks at them."""
    return Coder(dictionary).arrivals(_blocks(arriving))


def _blocks(arriving: Sequence[tuple[int, Fact]], counted: int = 0) -> list[Block]:
    """One for each predicate; so many arrivals came before."""
    rows: dict[Signature, list[tuple[int, int, Fact]]] = {}
    for place, (time, fact) in enumerate(arriving, counted):
        rows.setdefault(fact.signature, []).append((place, time, fact))
    return [
        replace(Block.of(signature, [(time, fact.args) for _, time, fact in found]), order=np.array(places))
        for signature, found in rows.items()
        for places in [[place for place, _, _ in found]]
    ]


def restored(judged: Judged) -> str:
    """The interval reasoner is written to a snapshot and read again between the steps, or numbers its values anew."""
    reasoner, total, foresight = _interval(judged), Total(), Foresight(judged.scenario.stream.start)
    for number, ((time, arriving), expected) in enumerate(zip(judged.steps, judged.expected, strict=False)):
        change = reasoner.advance(time, arriving)
        if difference := total.add(change, reasoner.answer()) or foresight.objection(change, arriving, reasoner):
            return f"at {time}, after a snapshot: {difference}"
        if number % 2:
            reasoner = IntervalReasoner.restore(
                reasoner.snapshot(), judged.analysis, functions=FUNCTIONS, calendar=CALENDAR
            )
            foresight.foreseen = reasoner.next_change()
        elif number % 4 == 2:
            reasoner.renumber_values()
        found = [atoms(time, one) for one in reasoner.answer().answer_streams]
        if found != list(expected):
            return f"at {time}, after a snapshot: {told(found)} instead of {told(expected)}"
    return ""


def resumed(judged: Judged) -> str:
    """The clingo reasoner is written to a snapshot, and another one goes on from it between the steps."""
    reasoner, total = _clingo(judged), Total()
    for number, ((time, arriving), expected) in enumerate(zip(judged.steps, judged.expected, strict=False)):
        if difference := total.add(reasoner.advance(time, arriving), reasoner.answer()):
            return f"at {time}, after a snapshot: {difference}"
        if number % 2:
            saved, before = reasoner.snapshot(), reasoner.answer()
            reasoner = _clingo(judged)
            reasoner.resume(saved)
            if reasoner.answer() != before:
                return f"at {time}, in a snapshot: {reasoner.answer()} instead of {before}"
        found = [atoms(time, one) for one in reasoner.answer(None).answer_streams]
        if Counter(found) != Counter(expected):
            return f"at {time}, after a snapshot: {told(found)} instead of {told(expected)}"
    return ""


def late(judged: Judged) -> str:
    """The interval reasoner gets the arrivals of many time points later, as far as its lateness allows.

    Those of one time point come in two parts, whose order is the one in which they are counted. Now and then something
    comes once more, too late by one time point.
    """
    reasoner, total = _interval(judged, lateness=LATENESS), Total()
    waiting: list[tuple[int, int, Fact]] = []
    too_late = 0
    for (time, arriving), expected in zip(judged.steps, judged.expected, strict=False):
        half = len(arriving) // 2
        latest = LATENESS + 1  # the time point before is the last that is over
        waiting += [(time + time % (latest + 1), time, fact) for fact in arriving[:half]]
        waiting += [(time + min(latest, time % (latest + 1) + 1), time, fact) for fact in arriving[half:]]
        due = [(at, fact) for known, at, fact in waiting if known <= time]
        waiting = [one for one in waiting if one[0] > time]
        missed = reasoner.time - LATENESS - 1
        if arriving and missed >= judged.scenario.stream.start:
            due.append((missed, arriving[0]))
            too_late += 1
        change = reasoner.advance_batch(time, Arrivals.of(due, reasoner.dictionary))
        if difference := total.add(change, reasoner.answer()):
            return f"at {time}, with late arrivals: {difference}"
        found = [atoms(time, one) for one in reasoner.answer().answer_streams]
        if not waiting and found != list(expected):
            return f"at {time}, with late arrivals: {told(found)} instead of {told(expected)}"
    return "" if reasoner.too_late == too_late else f"{reasoner.too_late} instead of {too_late} came too late"


def changed(judged: Judged) -> str:
    """The interval reasoner gets further rules between the steps, or loses them again, and what they recorded."""
    reasoner, total = _interval(judged), Total()
    program, others = judged.analysis.program, MORE[len(judged.scenario.stream.input) // 2 % len(MORE)]
    more = analyse(
        replace(
            program,
            rules=(*program.rules, *others.rules),
            directives=(*program.directives, *others.directives),
        ),
        background={fact.signature for fact in judged.scenario.background},
        allow_functions=True,
    )
    for number, ((time, arriving), expected) in enumerate(zip(judged.steps, judged.expected, strict=False)):
        if difference := total.add(reasoner.advance(time, arriving), reasoner.answer()):
            return f"at {time}, with other rules: {difference}"
        if number % 2:
            change = reasoner.change_program(judged.analysis if number % 4 == 3 else more)
            if difference := total.add(change, reasoner.answer()):
                return f"at {time}, other rules: {difference}"
        found = [_without_more(atoms(time, one)) for one in reasoner.answer().answer_streams]
        if found != list(expected):
            return f"at {time}, with other rules: {told(found)} instead of {told(expected)}"
    return ""


def _without_more(stream: Atoms) -> Atoms:
    return frozenset((time, fact) for time, fact in stream if fact.predicate != "more")


def in_partitions(judged: Judged) -> str:
    """The stages of the plan in two or more partitions; the rows are those of all evaluations together."""
    scenario = judged.scenario
    plan = make_plan(judged.analysis, scenario.background, CALENDAR)
    arrivals = [(arrival.time, arrival.fact) for arrival in scenario.stream.input]
    start, end = scenario.times[0], scenario.times[-1]
    cuts = [start + 3] if len(arrivals) % 2 else []
    found = rows_in_partitions(plan, arrivals, start, end, 1 + len(arrivals) % 3, cuts)
    expected = rows(judged)
    return "" if found == expected else _missing(found, expected, "in partitions")


def _missing(found: set[Row], expected: set[Row], where: str) -> str:
    return f"{where}: too many {sorted(found - expected, key=str)}, missing {sorted(expected - found, key=str)}"


def rows(judged: Judged) -> set[Row]:
    """What the judge says at every time point, as rows with intervals."""
    spans: dict[tuple[Fact, int | None], list[tuple[int, int]]] = {}
    for (time, _), streams in zip(judged.steps, judged.expected, strict=False):
        for at, fact in streams[0] if streams else ():
            held = spans.setdefault((fact, None if at == time else at), [])
            if held and held[-1][1] == time - 1:
                held[-1] = (held[-1][0], time)
            else:
                held.append((time, time))
    shown = judged.analysis.shown
    return {
        (fact.predicate, fact.args, first, last, at)
        for (fact, at), held in spans.items()
        if fact.signature in shown
        for first, last in held
    }


def _interval(judged: Judged, lateness: int = 0, shown: frozenset[Signature] | None = None) -> IntervalReasoner:
    scenario = judged.scenario
    return IntervalReasoner(
        judged.analysis,
        scenario.background,
        scenario.stream.start,
        functions=FUNCTIONS,
        calendar=CALENDAR,
        lateness=lateness,
        shown=shown,
    )


def _clingo(judged: Judged) -> ClingoReasoner:
    scenario = judged.scenario
    return ClingoReasoner(
        judged.analysis, scenario.background, scenario.stream.start, functions=FUNCTIONS, calendar=CALENDAR
    )


MORE = (
    parse_program("more(N) :- N = #count{ V : e(V) [2] }."),
    parse_program("#record more/1. more(X) :- e(X). more(X) :- more(X) [2], not a."),
    parse_program("#record more/0. @(now+2) more :- e(_) [1], not a. more(N) :- N = #count{ T : @T more [3] }."),
)

Treatment = Callable[[Judged], str]

TREATMENTS: Mapping[str, tuple[str, Treatment]] = MappingProxyType(
    {
        "chunks": ("interval", in_chunks),
        "replayed": ("interval", replayed),
        "restored": ("interval", restored),
        "resumed": ("clingo", resumed),
        "late": ("interval", late),
        "corrected": ("interval", lambda judged: corrected(judged, _interval(judged, lateness=LATENESS), LATENESS)),
        "changed": ("interval", changed),
        "partitions": ("spark", in_partitions),
    }
)
"""By name: which objections to the program count, and how it is done."""


def treat(name: str, judged: Judged) -> Outcome:
    """A treatment of what the judge has seen at every time point."""
    reasoner, treatment = TREATMENTS[name]
    objections = judged.analysis.accepts[reasoner]
    if objections:
        return Outcome("refused", Rejected(objections).diagnostics[0].code)
    if judged.analysis.lowered is not None and reasoner != "spark":
        return Outcome("refused", "formula")  # the other treatments drive reasoners of extended atoms themselves
    if reasoner == "spark" and any(isinstance(one, FunctionImport) for one in judged.scenario.program.directives):
        return Outcome("refused", "function")  # the file it comes from is not there
    several = any(len(streams) > 1 for streams in judged.expected)
    if name in ("partitions", "replayed", "corrected") and (several or len(judged.expected) < len(judged.steps)):
        return Outcome("refused", "several")  # rows are those of one answer stream at every time
    return outcome(lambda: treatment(judged), judged.scenario)
