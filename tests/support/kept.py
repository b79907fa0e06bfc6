"""Programs that are tried in every run, since they notice seeded faults that random ones seldom do.

`kept_programs.txt` has them as text: rules, what arrives when, what is given; `tests/keep.py` adds to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.printing.printer import show
from larspark.language.tree import Atom, Constant
from larspark.semantics.streams import Stream
from support.random_programs import Scenario

FILE = Path(__file__).parent / "kept_programs.txt"
END, FROM, GIVEN = "----", "% from ", "% given:"


def kept() -> list[Scenario]:
    return [_read(part) for part in FILE.read_text().split(f"{END}\n") if part.strip()]


def written(scenarios: Iterable[Scenario]) -> str:
    return f"{END}\n".join(map(as_text, scenarios))


def as_text(scenario: Scenario) -> str:
    """`% from 0`, and a line for each time point: `% 3: e(x). f(x,1).`"""
    lines = [show(scenario.program).strip(), f"{FROM}{scenario.stream.start}"]
    for time, arrivals in groupby(scenario.stream.input, key=lambda one: one.time):
        lines.append(f"% {time}: " + " ".join(f"{one.fact}." for one in arrivals))
    if scenario.background:
        lines.append(f"{GIVEN} " + " ".join(f"{one}." for one in scenario.background))
    return "\n".join(lines) + "\n"


def _read(text: str) -> Scenario:
    program, _, data = text.rpartition(FROM)
    start, *lines = data.strip().splitlines()
    given = tuple(fact for line in lines if line.startswith(GIVEN) for fact in facts_in(line.removeprefix(GIVEN)))
    arrivals = [
        (int(time.removeprefix("% ")), fact)
        for time, _, facts in (line.partition(":") for line in lines if not line.startswith(GIVEN))
        for fact in facts_in(facts)
    ]
    return Scenario(parse_program(program), Stream.of(int(start), None, arrivals), given)


def facts_in(text: str) -> Iterator[Fact]:
    for rule in parse_program(text).rules:
        assert isinstance(rule.head, Atom)
        yield Fact(rule.head.predicate, tuple(one.value for one in rule.head.args if isinstance(one, Constant)))
