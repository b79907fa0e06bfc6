"""Random programs with data that can be run side by side, or have to be run alone."""

from __future__ import annotations

from random import Random

from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.reasoners.registry import make_reasoner
from support.keyed_programs import BACKGROUND, random_arrivals, random_rules
from support.random_programs import random_scenario
from support.side_by_side import Piece
from support.strategies import CONSTRAINED

END = 20
"""The last evaluation; all data lies before it."""


def random_piece(random: Random, *, alone: bool) -> Piece:
    """A program that Spark takes; `alone`: it counts all arrivals, or there are times without an answer stream."""
    while True:
        piece = _keyed(random) if random.random() < 0.5 else _any(random)
        try:
            together = not piece.alone and _consistent(piece)
        except Rejected:
            continue
        if piece.arrivals and together != alone:
            return piece


def _keyed(random: Random) -> Piece:
    background = tuple(Fact("bg", (value,)) for value in random.sample(BACKGROUND, 3))
    return Piece(parse_program("\n".join(random_rules(random))), tuple(random_arrivals(random)), background)


def _any(random: Random) -> Piece:
    scenario = random_scenario(random, CONSTRAINED)
    arrivals = tuple((arrival.time, arrival.fact) for arrival in scenario.stream.input)
    return Piece(scenario.program, arrivals, scenario.background)


def _consistent(piece: Piece) -> bool:
    """Whether there is an answer stream at every time."""
    analysis = piece.plan.analysis
    if analysis.accepts["interval"]:
        raise Rejected(analysis.accepts["interval"])
    engine = make_reasoner("interval", analysis, piece.background, 0)
    return all(
        engine.advance(time, [fact for at, fact in piece.arrivals if at == time]).consistent for time in range(END + 1)
    )
