"""Ticks as time points of a finer clock: a program that is evaluated after every arrival, as one evaluated at times.

Time point t becomes the fine time points t·g, …, t·g + g − 1, of which the n-th arrival at t takes t·g + n. Windows hop
with the time points there were:

    a [5]    at g = 1000    a [5000, +1000 hop 1000]
    a        (input)        a [0, +1000 hop 1000]

What is evaluated at the fine time t·g + n is what was at the tick (t, n): nothing arrives at t·g, so that a window
which reaches it sees no more than one that ends before it.
"""

from __future__ import annotations

from dataclasses import replace

from larspark.analysis.analysis import Analysis
from larspark.language.facts import Signature
from larspark.language.traversal import walk
from larspark.language.tree import (
    UNBOUNDED,
    Aggregate,
    Always,
    At,
    Atom,
    Comparison,
    Extent,
    FilterWindow,
    Formula,
    IntervalWindow,
    Not,
    Now,
    PartitionWindow,
    Program,
    Reset,
    Some,
    TimeWindow,
    Truth,
    TupleWindow,
    Window,
    Windowed,
)

_COUNTING = (Now, At, Always, IntervalWindow, Reset)
"""What counts time points, or names them."""


def ticks_as_times(analysis: Analysis, grain: int) -> Program | None:
    """The program on the finer clock; None when its rules say more about time than which atoms are in windows."""
    program = analysis.program
    twice = analysis.extensional & (analysis.intensional | analysis.background)
    if twice or analysis.recorded or any(isinstance(node, _COUNTING) for node in walk(program)):
        return None
    rules = []
    for rule in program.rules:
        body = _all_refined(rule.body, analysis.extensional, grain)
        if body is None or not isinstance(rule.head, Atom | Truth):
            return None
        rules.append(replace(rule, body=body))
    return replace(program, rules=tuple(rules))


def _all_refined(literals: tuple[Formula, ...], inputs: frozenset[Signature], grain: int) -> tuple[Formula, ...] | None:
    found = [_refined(literal, inputs, grain) for literal in literals]
    refined = tuple(one for one in found if one is not None)
    return refined if len(refined) == len(found) else None


def _refined(literal: Formula, inputs: frozenset[Signature], grain: int) -> Formula | None:
    match literal:
        case Comparison() | Truth():
            return literal
        case Not(body):
            inner = _refined(body, inputs, grain)
            return None if inner is None else replace(literal, body=inner)
        case Aggregate():
            elements = []
            for element in literal.elements:
                conditions = _all_refined(element.body, inputs, grain)
                if conditions is None:
                    return None
                elements.append(replace(element, body=conditions))
            return replace(literal, elements=tuple(elements), ranking=None)
        case Atom() as atom:
            if atom.signature not in inputs:
                return atom
            return Windowed(TimeWindow(0, grain, grain), Some(atom, origin=atom.origin), origin=atom.origin)
        case Windowed(window, Some(Atom() as atom)):
            finer = _window(window, grain, arrives=atom.signature in inputs)
            return None if finer is None else replace(literal, window=finer)
    return None


def _window(window: Window, grain: int, *, arrives: bool) -> Window | None:
    match window:
        case TimeWindow(past, future, hop):
            return replace(
                window, past=_finer(past, grain), future=_finer(future, grain, grain), hop=_finer(hop, grain)
            )
        case TupleWindow(future=0, whole=False) | PartitionWindow(future=0, whole=False) | FilterWindow() if arrives:
            return window
    return None


def _finer(extent: Extent, grain: int, more: int = 0) -> Extent:
    return extent * grain + more if isinstance(extent, int) else UNBOUNDED
