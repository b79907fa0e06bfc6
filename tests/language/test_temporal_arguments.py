"""`#temporal` is spelling: the last argument is the time to which an atom is pinned."""

from __future__ import annotations

import larspark
from larspark.language.parser import parse_program
from larspark.language.printing.printer import show
from larspark.language.shorthands.temporal_arguments import pinned

PUBLISHED = """
    #temporal temp/3. #temporal cool/2. #show cool/2. #input temp(id, level, time).
    cool(X,T+1) :- temp(X,high,T), temp(X,high,T+1), not temp(X,low,T), turbine(X), T < 9.
"""
PINNED = """
    #show cool/1. #input temp(id, level).
    @(T+1) cool(X) :- @T temp(X,high), @(T+1) temp(X,high), not @T temp(X,low), turbine(X), T < 9.
"""


def test_both_spellings_are_one_program() -> None:
    assert pinned(parse_program(PUBLISHED)) == parse_program(PINNED)


def test_a_program_without_the_directive_stays_as_it_is() -> None:
    program = parse_program(PINNED)
    assert pinned(program) is program


def test_every_reasoner_reads_it_so() -> None:
    engine = larspark.Engine("#temporal a/2. #temporal b/2. b(X,T+1) :- a(X,T), a(X,T+1).")
    assert show(engine.analysis.program.rules[0]) == "@(T+1) b(X) :- @T a(X), @(T+1) a(X)."
    engine.advance(3, ["a(k)"])
    assert [str(fact) for fact in engine.advance(4, ["a(k)"]).appeared] == ["b(k)"]
