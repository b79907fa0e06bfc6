"""The doors: every way in which a program meets its data, behind one interface. A new door is one line of `DOORS`.

All of them get the program as a file that names its background in `#background`, and tell what holds at each time
point of the timeline; a door that does not apply to a question says None.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import larspark
from larspark.analysis.analysis import Fragment
from larspark.cli.main import main
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_fact
from larspark.language.printing.printer import show
from larspark.language.values import Value, normal, show_value
from larspark.python.foresight import Subject
from larspark.runtime.prepared import Prepared, prepare
from support.side_by_side import Arrival, Piece

Atom = tuple[int, str, tuple[str, ...]]
"""The time point at which it holds, its predicate, and its arguments as text, since columns may be numbers or text."""
Answers = dict[int, set[Atom]]
"""By evaluation time."""
STRANGE = Fact("strange", ())
"""An atom that no program knows; it says that time goes on."""


@dataclass(frozen=True)
class Question:
    """A program file, what arrives, and the timeline."""

    program: Path
    arrivals: tuple[Arrival, ...]
    start: int
    end: int
    counts: bool = False
    """A further arrival would be counted by some window."""

    @classmethod
    def of(cls, piece: Piece, start: int, end: int, folder: Path) -> Question:
        """A piece as files: its program with its background beside it."""
        lines = [show(piece.program)]
        for number, signature in enumerate(sorted({fact.signature for fact in piece.background})):
            facts = [f"{fact}.\n" for fact in piece.background if fact.signature == signature]
            (folder / f"background{number}.facts").write_text("".join(facts))
            lines.append(f'#background "background{number}.facts" as {signature}.')
        (folder / "program.lars").write_text("\n".join(lines))
        return cls(folder / "program.lars", piece.arrivals, start, end, piece.alone)

    @classmethod
    def recorded(cls, program: Path) -> Question:
        """An example: the stream lies beside the program."""
        records = map(json.loads, program.with_suffix(".jsonl").read_text().splitlines())
        arrivals = [(record["time"], _recorded_fact(record)) for record in records]
        return cls(program, tuple(arrivals), arrivals[0][0], arrivals[-1][0])

    @cached_property
    def prepared(self) -> Prepared:
        return prepare(self.program)

    @property
    def reasoner(self) -> str:
        return "interval" if "interval" in self.prepared.analysis.reasoners else "clingo"

    @property
    def shown(self) -> list[Signature]:
        return sorted(self.prepared.analysis.shown & self.prepared.analysis.intensional)

    def arriving(self, time: int) -> list[Fact]:
        return [fact for at, fact in self.arrivals if at == time]

    def bordered(self) -> tuple[Arrival, ...] | None:
        """Arrivals from the first to the last time point; None where a further one would be counted."""
        times = {time for time, _ in self.arrivals}
        missing = [(time, STRANGE) for time in {self.start, self.end} - times]
        if missing and self.counts:
            return None
        return tuple(sorted([*self.arrivals, *missing], key=lambda one: one[0]))


def _recorded_fact(record: dict[str, Any]) -> Fact:
    return parse_fact(record["atom"]) if "atom" in record else Fact(record["predicate"], tuple(record["args"]))


# -- answers ---------------------------------------------------------------------------------------


def text(value: object) -> str:
    return value if isinstance(value, str) else show_value(normal(value))  # type: ignore[arg-type]


def atom(time: int, fact: Fact) -> Atom:
    return time, fact.predicate, tuple(map(text, fact.args))


def by_time(rows: Iterable[tuple[Fact, int, int, int | None]], question: Question) -> Answers:
    """From intervals: a fact, from, to, and the time point it is pinned to."""
    found: Answers = {time: set() for time in range(question.start, question.end + 1)}
    for fact, first, last, at in rows:
        for time in range(max(first, question.start), min(last, question.end) + 1):
            found[time].add(atom(time if at is None else at, fact))
    return found


def _streams(time: int, answer: larspark.Answer) -> set[Atom]:
    """Of the first answer stream; nothing where there is none."""
    found: set[Atom] = set()
    for stream in answer.answer_streams[:1]:
        found |= {atom(time, fact) for fact in stream.now}
        found |= {atom(at, fact) for at, facts in stream.at.items() for fact in facts}
    return found


def said(answer: dict[str, Any]) -> list[set[Atom]]:
    """The answer streams of a line of `eval --format json`."""
    return [
        {atom(answer["time"], parse_fact(one)) for one in stream["now"]}
        | {atom(int(at), parse_fact(one)) for at, listed in stream["at"].items() for one in listed}
        for stream in answer["answer_streams"]
    ]


# -- the command line ------------------------------------------------------------------------------


def command(*words: object) -> list[Any]:
    """What a command prints as JSON; it must not fail."""
    written, err = io.BytesIO(), io.StringIO()
    with redirect_stdout(io.TextIOWrapper(written, encoding="utf-8", write_through=True)) as out, redirect_stderr(err):
        status = main([*map(str, words), "--format", "json"])
        out.flush()
        printed = written.getvalue().decode()
    assert status == 0, err.getvalue()
    return [json.loads(line) for line in printed.splitlines()]


def lines(path: Path, arrivals: Iterable[Arrival]) -> Path:
    path.write_text("".join(json.dumps({"time": time, "atom": str(fact)}) + "\n" for time, fact in arrivals))
    return path


def through_eval(question: Question, folder: Path) -> Answers:
    stream = lines(folder / "eval.jsonl", question.arrivals)
    timeline = ("--timeline", question.start, question.end)
    found = command("eval", question.program, "--stream", stream, *timeline, "--reasoner", question.reasoner)
    return {answer["time"]: next(iter(said(answer)), set()) for answer in found}


def through_eval_intervals(question: Question, folder: Path) -> Answers:
    stream, output = lines(folder / "eval.jsonl", question.arrivals), folder / "answers.jsonl"
    timeline = ("--timeline", question.start, question.end)
    words = ("--reasoner", question.reasoner, "--as", "intervals", "--output", output)
    command("eval", question.program, "--stream", stream, *timeline, *words)
    rows = map(json.loads, output.read_text().splitlines())
    return by_time(((parse_fact(row["atom"]), row["from"], row["to"], row.get("at")) for row in rows), question)


def through_tick(question: Question, folder: Path) -> Answers | None:
    """It writes at every time point after the first."""
    arrivals = question.bordered()
    if arrivals is None:
        return None
    stream, output = lines(folder / "tick.jsonl", arrivals), folder / "tick.out"
    shown = ",".join(dict.fromkeys(one.predicate for one in question.shown))
    words = ("-i", stream, "-o", output, "-e", "time", "-f", shown, "--start", question.start, "-l", "none")
    command("tick", "-p", question.program, *words, "-r", question.reasoner)
    found: Answers = {}
    for answer in map(json.loads, output.read_text().splitlines()):
        atoms = (parse_fact(one) for one in answer["model"] or ())
        found[answer["time"]] = {atom(answer["time"], fact) for fact in atoms if fact.signature in question.shown}
    return found


# -- Python ----------------------------------------------------------------------------------------


def through_engine(question: Question, _: Path) -> Answers:
    """The answers; what the changes add up to is the same."""
    engine = larspark.Engine(question.program, question.reasoner, start=question.start)
    found: Answers = {}
    now: set[Fact] = set()
    pins: set[tuple[int, Fact]] = set()
    for time in range(question.start, question.end + 1):
        change = engine.advance(time, question.arriving(time))
        now = now - change.disappeared | change.appeared
        pins = pins - change.unpinned | change.pinned
        found[time] = _streams(time, engine.answer())
        assert found[time] == {atom(time, fact) for fact in now} | {atom(at, fact) for at, fact in pins}, time
    return found


def through_a_restored_engine(question: Question, _: Path) -> Answers:
    """Saved and restored on the way."""
    engine = larspark.Engine(str(question.program), question.reasoner, start=question.start)
    found: Answers = {}
    for time in range(question.start, question.end + 1):
        engine.advance(time, [(fact.predicate, *fact.args) for fact in question.arriving(time)])
        found[time] = _streams(time, engine.answer())
        if time - question.start in (2, 7, 19):
            engine = larspark.Engine.restore(engine.snapshot(), question.program)
    return found


def through_tables(question: Question, _: Path) -> Answers:
    """Tables that arrive one after the other, cut anywhere; what the changes add up to."""
    engine = larspark.Engine(question.program, question.reasoner, start=question.start)
    changes: list[dict[str, Any]] = []

    def advance_to(time: int) -> None:
        change = engine.advance(time)
        listed = (
            (sign, None, fact) for sign, facts in (("+", change.appeared), ("-", change.disappeared)) for fact in facts
        )
        pinned = (
            (sign, at, fact) for sign, pins in (("+", change.pinned), ("-", change.unpinned)) for at, fact in pins
        )
        changes.extend({"time": time, "change": sign, "at": at, "atom": fact} for sign, at, fact in (*listed, *pinned))

    if not question.arrivals or question.arrivals[0][0] > question.start:
        advance_to(question.start)
    third = len(question.arrivals) // 3
    for part in (question.arrivals[:third], question.arrivals[third : 2 * third], question.arrivals[2 * third :]):
        columns = {"time": [time for time, _ in part], "atom": [str(fact) for _, fact in part]}
        told = engine.advance(columns).to_pylist() if part else []
        changes += ({**row, "atom": parse_fact(row["atom"])} for row in told)
    for time in range(question.start if engine.time is None else engine.time + 1, question.end + 1):
        advance_to(time)
    found: Answers = {}
    holding: set[tuple[int | None, Fact]] = set()
    for time in range(question.start, question.end + 1):
        for row in (row for row in changes if row["time"] == time):
            (holding.add if row["change"] == "+" else holding.remove)((row["at"], row["atom"]))
        found[time] = {atom(time if at is None else at, fact) for at, fact in holding}
    return found


def through_evaluate(question: Question, _: Path) -> Answers:
    """A table of atoms in, intervals out."""
    times, atoms = [time for time, _ in question.arrivals], [str(fact) for _, fact in question.arrivals]
    table = pa.table({"time": pa.array(times, pa.int64()), "atom": pa.array(atoms, pa.string())})
    timeline = question.start, question.end
    found = larspark.evaluate(question.program, table, question.reasoner, timeline=timeline).to_arrow().to_pylist()
    return by_time(((parse_fact(row["atom"]), row["from"], row["to"], row["at"]) for row in found), question)


def through_foresee(question: Question, _: Path) -> Answers | None:
    """What is certain and holds at the evaluation time, for programs and goals that can be foreseen."""
    analysis = question.prepared.analysis
    if analysis.fragment not in (Fragment.POSITIVE, Fragment.STRATIFIED) or Subject.of(question.prepared).temporal:
        return None
    outlook = larspark.Outlook(horizon=0)
    found: Answers = {time: set() for time in range(question.start, question.end + 1)}
    try:
        for one in question.shown:
            names = [f"V{place}" for place in range(one.arity)]
            goal = f"{one.predicate}({','.join(names)})" if names else one.predicate
            foresight = larspark.Foresight(question.program, goal, outlook, start=question.start)
            for time in found:
                foresight.advance(time, question.arriving(time))
                for prospect in foresight.prospects():
                    if prospect.at == time and not prospect.hypotheses:
                        args: list[Value] = [prospect.theta[name] for name in names]
                        found[time].add(atom(time, Fact(one.predicate, tuple(args))))
    except Rejected:
        return None
    return found


# -- Spark -----------------------------------------------------------------------------------------


def _tables(output: Path, question: Question) -> Answers:
    rows = []
    for one in question.shown:
        several = sum(other.predicate == one.predicate for other in question.shown) > 1
        folder = output / (f"{one.predicate}_{one.arity}" if several else one.predicate)
        for path in folder.glob("*.parquet") if folder.exists() else ():
            for row in pq.read_table(path).to_pylist():
                *args, first, last, at = row.values()
                rows.append((Fact(one.predicate, tuple(args)), first, last, at))
    return by_time(rows, question)


def through_run(question: Question, folder: Path, partitions: int = 2) -> Answers:
    stream, output = lines(folder / "run.jsonl", question.arrivals), folder / f"run{partitions}"
    words = ("--input", stream, "--output", output, "--partitions", partitions)
    command("run", question.program, *words, "--timeline", question.start, question.end)
    return _tables(output, question)


def through_many_partitions(question: Question, folder: Path) -> Answers:
    return through_run(question, folder, 7)


def through_a_followed_folder(question: Question, folder: Path) -> Answers | None:
    """In several micro-batches."""
    arrivals = question.bordered()
    if arrivals is None:
        return None
    (folder / "in").mkdir()
    third = len(arrivals) // 3
    for number, part in enumerate((arrivals[:third], arrivals[third:])):
        path = lines(folder / "in" / f"{number}.jsonl", part)
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))  # read in the order of their age
    (folder / "run.yml").write_text(
        f"program: {question.program}\noutput: followed\nfollow: true\nonce: true\npartitions: 2\n"
        "input:\n  - path: in\n    options: {maxFilesPerTrigger: 1}\n"
    )
    command("run", folder / "run.yml")
    return _tables(folder / "followed", question)


def through_reason(question: Question, _: Path) -> Answers:
    from larspark.spark import reason  # noqa: PLC0415 - the other doors do without Spark
    from larspark.spark.session.session import spark_session  # noqa: PLC0415

    rows = [(time, str(fact)) for time, fact in question.arrivals]
    frame = spark_session(None).createDataFrame(rows, "time long, atom string")
    tables = reason(question.program, frame, timeline=(question.start, question.end), partitions=2)
    found = []
    for name, table in tables.items():
        for row in table.toArrow().to_pylist():
            *args, first, last, at = row.values()
            found.append((Fact(name.partition("/")[0], tuple(args)), first, last, at))
    return by_time(found, question)


@dataclass(frozen=True)
class Door:
    name: str
    answers: Callable[[Question, Path], Answers | None]
    now_only: bool = False
    """It tells what holds at the evaluation time only."""
    begins_late: bool = False
    """It tells nothing at the first time point."""
    spark: bool = False

    def __str__(self) -> str:
        return self.name

    def ask(self, question: Question, folder: Path) -> Answers | None:
        """The answers at all time points that the door tells of."""
        found = self.answers(question, folder)
        if found is not None:
            first = question.start + self.begins_late
            assert found.keys() == set(range(first, question.end + 1)), self.name
        return found

    def seen(self, atoms: set[Atom], time: int) -> set[Atom]:
        """What the door tells of an answer."""
        return {one for one in atoms if one[0] == time} if self.now_only else atoms


DOORS = (
    Door("eval", through_eval),
    Door("eval-intervals", through_eval_intervals),
    Door("tick", through_tick, now_only=True, begins_late=True),
    Door("engine", through_engine),
    Door("restored-engine", through_a_restored_engine),
    Door("engine-with-tables", through_tables),
    Door("evaluate", through_evaluate),
    Door("foresee", through_foresee, now_only=True),
    Door("run", through_run, spark=True),
    Door("run-in-7-partitions", through_many_partitions, spark=True),
    Door("run-follow", through_a_followed_folder, spark=True),
    Door("reason", through_reason, spark=True),
)
HERE = [door for door in DOORS if not door.spark]
ON_SPARK = [door for door in DOORS if door.spark]
