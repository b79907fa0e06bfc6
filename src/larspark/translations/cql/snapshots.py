"""Snapshot rules: the content of a window as a relation, now and one time point ago (thesis eq. 4.4).

The relation one time point ago is what ISTREAM and DSTREAM compare with; it is computed from the stream, for
nothing derived earlier exists.
"""

from __future__ import annotations

from typing import TypeAlias

from larspark.language.facts import Signature
from larspark.language.tree import (
    HALF_OPEN,
    UNBOUNDED,
    Aggregate,
    AggregateElement,
    At,
    Atom,
    Comparison,
    Constant,
    FilterWindow,
    Formula,
    Keyed,
    Not,
    Now,
    Operation,
    Pattern,
    Rule,
    SessionWindow,
    Some,
    TimeWindow,
    Variable,
    Windowed,
)
from larspark.translations.cql.scope import Table
from larspark.translations.cql.windows import (
    BOUNDS,
    Hop,
    PartitionedRows,
    RangeWindow,
    RowsWindow,
    Session,
    SqlWindow,
    lars_window,
)
from larspark.translations.datalog import fresh_variables, tidy
from larspark.translations.naming import Names

SnapshotWindow: TypeAlias = RangeWindow | RowsWindow | PartitionedRows


def snapshot_now(predicate: str, stream: Table, window: SnapshotWindow) -> Rule:
    """rel(s)(V) ← ⊞^w ◇ s(V)."""
    row = _Row(stream)
    inner = At(row.time, row.atom) if stream.time else Some(row.atom)
    return Rule(Atom(predicate, row.columns), (_windowed(inner, stream, window),))


def snapshot_before(predicate: str, stream: Table, window: SnapshotWindow) -> Rule:
    """The same, for the evaluation one time point earlier."""
    row = _Row(stream)
    atom, time = row.atom, row.time
    head = Atom(predicate, row.columns)
    pivot = fresh_variables(["P"], {arg.name for arg in (*row.columns, time)})["P"]
    before = Operation("-", Now(), Constant(1))
    match window:
        case RangeWindow(int(length), 1):
            return Rule(head, (_at(time, atom, length + 1), Comparison("<=", time, before)))
        case RangeWindow(int(length), slide):
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
        case RangeWindow():
            everything = Windowed(TimeWindow(UNBOUNDED), At(time, atom))
            return Rule(head, (everything, Comparison("<=", time, before)))
        case _:
            # Arrivals are counted from the time of a window back: only `@` can move that.
            inner = At(time, atom) if stream.time else Some(atom)
            return Rule(head, (At(before, _windowed(inner, stream, window)),))


def window_rules(predicate: str, stream: Table, window: SqlWindow, names: Names) -> list[Rule]:
    """The rows of a window of SQL with its bounds."""
    match window:
        case Hop(slide, length):
            return [_stretch(predicate, stream, slide, length)]
        case Session():
            return _sessions(predicate, stream, window, names)


def _stretch(predicate: str, stream: Table, slide: int, length: int) -> Rule:
    """The last whole stretch of the length, in steps of the slide."""
    row = _Row(stream)
    past = Operation("-", Now(), Operation("%", Now(), Constant(slide)))
    return Rule(
        Atom(predicate, (*row.columns, row.start, row.end)),
        (
            Windowed(TimeWindow(length, HALF_OPEN, slide), At(row.time, row.atom)),
            Comparison("=", row.end, past),
            Comparison("=", row.start, Operation("-", row.end, Constant(length))),
        ),
    )


def _sessions(predicate: str, stream: Table, window: Session, names: Names) -> list[Rule]:
    """The sessions whose last row came just the gap ago: they are complete."""
    row = _Row(stream)
    keys = {column.lower() for column in window.columns}
    places = tuple(place for place, name in enumerate(row.arguments) if name.lower() in keys)

    def anyone(use: str) -> Atom:
        """A row of the key; what else it has is no matter, and another one each time."""
        args = (arg if n in places else Variable(f"_{use}{n}") for n, arg in enumerate(row.arguments.values()))
        return Atom(stream.name, tuple(args))

    key = tuple(arg for n, arg in enumerate(row.arguments.values()) if n in places)
    session = SessionWindow(window.gap, (Keyed(Signature(stream.name, len(row.arguments)), places),))
    ended = Atom(names.fresh(f"{predicate}_ended"), (*key, row.start))
    first = AggregateElement((row.time,), (Windowed(session, At(row.time, anyone("first"))),))
    rules = [
        Rule(
            ended,
            (
                Windowed(session, Some(anyone("seen"))),
                Not(Windowed(TimeWindow(window.gap - 1), Some(anyone("later")))),
                Aggregate("min", "=", row.start, (first,)),
            ),
        ),
        Rule(
            Atom(predicate, (*row.columns, row.start, row.end)),
            (ended, Windowed(session, At(row.time, row.atom)), Comparison("=", row.end, Now())),
        ),
    ]
    return [tidy(rule) for rule in rules]


class _Row:
    """Variables for a row of a stream, its time and the bounds of its window."""

    def __init__(self, stream: Table) -> None:
        variables = fresh_variables((*stream.columns, *BOUNDS), set())
        self.start, self.end = variables["window_start"], variables["window_end"]
        taken = {variable.name for variable in variables.values()}
        self.time = variables[stream.time] if stream.time else fresh_variables(["T"], taken)["T"]
        self.columns = tuple(variables[column] for column in stream.columns)
        self.arguments = {column: variables[column] for column in stream.arguments}
        self.atom = Atom(stream.name, tuple(self.arguments.values()))


def _at(time: Variable, atom: Atom, length: int) -> Formula:
    return Windowed(TimeWindow(length), At(time, atom))


def _windowed(seen: Formula, stream: Table, window: SnapshotWindow) -> Formula:
    signature = Signature(stream.name, len(stream.arguments))
    inner: Formula = Windowed(lars_window(window, signature, stream.arguments), seen)
    if isinstance(window, RowsWindow):
        # LARS has one stream for all, CQL counts the tuples of this one.
        inner = Windowed(FilterWindow((Pattern(stream.name, (None,) * len(stream.arguments)),)), inner)
    return inner
