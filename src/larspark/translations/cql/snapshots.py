"""Snapshot rules: the content of a window as a relation, now and one time point ago (thesis eq. 4.4).

The relation one time point ago is what ISTREAM and DSTREAM compare with; it is computed from the stream, for
nothing derived earlier exists.
"""

from __future__ import annotations

from larspark.language.facts import Signature
from larspark.language.tree import (
    UNBOUNDED,
    At,
    Atom,
    Comparison,
    Constant,
    FilterWindow,
    Formula,
    Now,
    Operation,
    Pattern,
    Rule,
    Some,
    TimeWindow,
    Variable,
    Windowed,
)
from larspark.translations.cql.scope import Table
from larspark.translations.cql.windows import CqlWindow, Range, Rows, lars_window
from larspark.translations.datalog import fresh_variables


def snapshot_now(predicate: str, stream: Table, window: CqlWindow) -> Rule:
    """rel(s)(V) ← ⊞^w ◇ s(V)."""
    atom = _atom(stream)
    return Rule(Atom(predicate, atom.args), (_windowed(atom, stream, window),))


def snapshot_before(predicate: str, stream: Table, window: CqlWindow) -> Rule:
    """The same, for the evaluation one time point earlier."""
    atom = _atom(stream)
    head = Atom(predicate, atom.args)
    names = fresh_variables(["T", "P"], {arg.name for arg in atom.args if isinstance(arg, Variable)})
    time, pivot = names["T"], names["P"]
    before = Operation("-", Now(), Constant(1))
    match window:
        case Range(int(length), 1):
            return Rule(head, (_at(time, atom, length + 1), Comparison("<=", time, before)))
        case Range(int(length), slide):
            # The pivot of the earlier evaluation; the current time is at most `slide` after it. Division truncates,
            # so at time point 0 the pivot is 0 and the comparison with the earlier time keeps the snapshot empty.
            rounded = Operation("*", Operation("/", before, Constant(slide)), Constant(slide))
            return Rule(
                head,
                (
                    _at(time, atom, length + slide),
                    Comparison("<=", time, before),
                    Comparison("=", pivot, rounded),
                    Comparison("<=", time, pivot),
                    Comparison(">=", time, Operation("-", pivot, Constant(length))),
                ),
            )
        case Range():
            everything = Windowed(TimeWindow(UNBOUNDED), At(time, atom))
            return Rule(head, (everything, Comparison("<=", time, before)))
        case _:
            # Arrivals are counted from the time of a window back: only `@` can move that.
            return Rule(head, (At(before, _windowed(atom, stream, window)),))


def _atom(stream: Table) -> Atom:
    return Atom(stream.name, tuple(fresh_variables(stream.columns, set()).values()))


def _at(time: Variable, atom: Atom, length: int) -> Formula:
    return Windowed(TimeWindow(length), At(time, atom))


def _windowed(atom: Atom, stream: Table, window: CqlWindow) -> Formula:
    signature = Signature(stream.name, len(stream.columns))
    inner: Formula = Windowed(lars_window(window, signature, stream.columns), Some(atom))
    if isinstance(window, Rows):
        # LARS has one stream for all, CQL counts the tuples of this one.
        inner = Windowed(FilterWindow((Pattern(stream.name, (None,) * len(stream.columns)),)), inner)
    return inner
