"""What is asked at every door: the published cases, mended faults, the examples, and random programs."""

from __future__ import annotations

from pathlib import Path
from random import Random

from larspark.language.facts import Fact
from larspark.language.parser import parse_fact, parse_program
from support.corpus import Together, grouped, together
from support.doors import Door, Question, atom, by_time, command, said, text
from support.interval_rows import Row
from support.many_programs import END, many_programs
from support.mended_cases import MORE, mended, refused
from support.side_by_side import Piece
from support.vectors import cases

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("transport", "cooling", "machines", "network", "caching", "foresight/overheating")
CASES = [*cases("answer_stream"), *cases("answer_streams"), *cases("output_stream")]
PUBLISHED = together(CASES)
GROUPS = [*PUBLISHED, *grouped(mended())]


def check_cases(door: Door, group: Together, folder: Path) -> None:
    found = door.ask(Question.of(group.piece, group.start, group.end, folder), folder)
    if found is not None:
        group.check(found, door.seen)


def check_refusal(door: Door, case: str, folder: Path) -> None:
    """The diagnostic has its code; a door that tells nothing but what holds now may find that all is well."""
    piece, code, wanted = refused(case)
    message, found = "", None
    try:
        found = door.ask(Question.of(piece, 0, piece.arrivals[-1][0] + MORE, folder), folder)
        if found is None:
            return
    except Exception as error:  # `command` asserts that it does not fail, and tells why; Spark has errors of its own
        message = str(error)
    if found is not None and wanted is not None and door.now_only:
        for time, atoms in found.items():
            assert atoms == door.seen({atom(at, fact) for at, fact in wanted.answers[time]}, time)
    else:
        assert code in message


def check_example(door: Door, name: str, folder: Path) -> None:
    """At every time point one of the answer streams that there are."""
    question = Question.recorded(EXAMPLES / f"{name}.lars")
    found = door.ask(question, folder)
    if found is None:
        return
    assert any(found.values())
    stream = question.program.with_suffix(".jsonl")
    words = ("--stream", stream, "--models", "all", "--reasoner", question.reasoner)
    for answer in command("eval", question.program, *words):
        time = answer["time"]
        if time in found:
            assert found[time] in [door.seen(one, time) for one in said(answer)], time


def check_background(door: Door, folder: Path) -> None:
    """`#background` files are part of a program."""
    found = door.ask(Question.recorded(EXAMPLES / "transport.lars"), folder)
    expected = {atom(60, parse_fact("missing(a3)")), atom(68, parse_fact("expected(a1,museum)"))}
    assert found is None or found[60] == door.seen(expected, 60)


def check_random_programs(door: Door, seed: int, count: int, folder: Path) -> None:
    many = many_programs(Random(seed), count)
    arriving = tuple(sorted(many.arrivals, key=lambda one: one[0]))
    question = Question.of(Piece(parse_program(many.text), arriving, many.background), 0, END, folder)
    found = door.ask(question, folder)
    if found is not None:
        expected = by_time(map(_interval, many.expected), question)
        for time, atoms in found.items():
            assert atoms == door.seen(expected[time], time), time


def _interval(row: Row) -> tuple[Fact, int, int, int | None]:
    name, args, first, last, at = row
    return Fact(name, tuple(map(text, args))), first, last, at
