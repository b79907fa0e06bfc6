"""Many random programs as one, each with predicates of its own, so that one Spark job tries them all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_program
from support.interval_rows import Row, rows_of
from support.keyed_programs import BACKGROUND, DERIVED, INPUT, random_arrivals, random_rules

_PREDICATE = re.compile(rf"\b({'|'.join([*INPUT, *DERIVED])})\(")
END = 15


@dataclass(frozen=True)
class ManyPrograms:
    """Programs side by side, over one stream."""

    text: str
    arrivals: tuple[tuple[int, Fact], ...]
    background: tuple[Fact, ...]
    expected: frozenset[Row]
    """The rows of each program alone, by the interval reasoner from time point to time point."""


def many_programs(random: Random, count: int) -> ManyPrograms:
    """Without constraints: where one program has no answer stream, none would have one."""
    background = tuple(Fact("bg", (value,)) for value in random.sample(BACKGROUND, 3))
    texts: list[str] = []
    arrivals: list[tuple[int, Fact]] = []
    expected: set[Row] = set()
    for number in range(count):
        rules = "\n".join(rule for rule in random_rules(random) if not rule.startswith(":-"))
        stream = random_arrivals(random)
        analysis = analyse(parse_program(rules), background={Signature("bg", 1)}).require()
        rows = rows_of(analysis, stream, 0, END, background)
        expected |= {(f"{name}_{number}", args, first, last, at) for name, args, first, last, at in rows}
        texts.append(_PREDICATE.sub(rf"\1_{number}(", rules))
        arrivals += [(time, Fact(f"{fact.predicate}_{number}", fact.args)) for time, fact in stream]
    return ManyPrograms("\n".join(texts), tuple(arrivals), background, frozenset(expected))
