"""How long a fact can matter: the reach of every window over its predicate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from larspark.analysis.analysis import Analysis, KeptSession, Latest, Retention
from larspark.language.clock_terms import offset_from_now
from larspark.language.facts import Signature
from larspark.language.traversal import children
from larspark.language.tree import (
    Always,
    At,
    Atom,
    Constant,
    FilterWindow,
    Formula,
    IntervalWindow,
    KeyedWindow,
    Node,
    Now,
    Operation,
    Or,
    PartitionWindow,
    Reader,
    Reset,
    Rule,
    SessionWindow,
    Some,
    Term,
    TimeWindow,
    TupleWindow,
    Variable,
    Window,
    Windowed,
    points,
)


@dataclass(frozen=True, slots=True)
class Reach:
    """A span of time points around the evaluation time; None = without bound on that side."""

    past: int | None
    future: int | None


NOW = Reach(0, 0)
EVERYTHING = Reach(None, None)


@dataclass(frozen=True, slots=True)
class View:
    """What a formula can see: the reference time lies in `at`, the current window in `window`."""

    at: Reach = NOW
    window: Reach = EVERYTHING
    cut: TupleWindow | PartitionWindow | SessionWindow | None = None
    """It cuts the window by number, or where a session begins."""
    selective: bool = False
    """A filter looks at arguments, so that the latest of the filtered atoms may be old ones of the predicate."""
    passing: frozenset[Signature] = frozenset()
    """The predicates that a filter lets through."""
    counted: frozenset[Signature] = frozenset()
    """Those of them among which a window has counted; no atom must be missing there."""
    outside: bool = False
    """The reference time may lie outside the window; then further windows select nothing less (thesis Def. 4-9)."""


def bound_retention(analysis: Analysis) -> Analysis:
    """The farthest reach of any rule over each predicate that is not background."""
    if not analysis.resolved:
        return analysis
    retention = {signature: Retention() for signature in sorted(analysis.intensional | analysis.extensional)}
    for reader in analysis.program.readers:
        for literal in reader.body:
            for signature, seen in _reads(literal, View()):
                # Input never lies in the future of an evaluation.
                allowed = seen.at.future == 0 or signature in analysis.intensional
                view = seen if allowed else replace(seen, at=Reach(seen.at.past, 0))
                if signature in analysis.held:
                    longer = _plus(view.at.past, points(analysis.held[signature].length))
                    view = replace(view, at=Reach(longer, 0))
                if signature in retention:
                    retention[signature] = _farther(retention[signature], signature, view, reader)
    arriving = analysis.extensional | analysis.recorded
    for rule in analysis.program.rules:
        for head in rule.head.parts if isinstance(rule.head, Or) else (rule.head,):
            match head:
                case At(time, Atom(signature=signature)) if signature in arriving:
                    # What arrives at the time of a conclusion is told apart from it as long as the conclusion stands.
                    pin = View(Reach(_age(time, rule), 0))
                    retention[signature] = _farther(retention[signature], signature, pin, rule)
    return replace(analysis, retention=retention)


def _reads(node: Node, view: View) -> Iterator[tuple[Signature, View]]:
    match node:
        case Atom():
            yield from ((signature, view) for signature in view.counted | {node.signature})
        case Some(body) | Always(body) | At(_, body):
            yield from _reads(body, replace(view, at=view.window, outside=False))
        case Windowed(window, body):
            yield from _reads(body, _through(window, view))
        case Reset(body):
            yield from _reads(body, View(view.at))
        case _:
            for child in children(node):
                yield from _reads(child, view)


def _through(window: Window, view: View) -> View:
    match window:
        case TimeWindow() | TupleWindow() | PartitionWindow() | SessionWindow() if view.outside:
            return view
        case TimeWindow(past, future, hop):
            # The pivot of a hopping window lies up to hop - 1 time points back (thesis Def. 3).
            lag = (points(hop) or 1) - 1
            back, ahead = points(past), points(future)
            reach = Reach(_plus(view.at.past, None if back is None else back + lag), _plus(view.at.future, ahead))
            outside = ahead is not None and ahead < lag
            return replace(view, window=_intersection(view.window, reach), outside=outside)
        case TupleWindow():
            return replace(_cut(view, window), counted=view.passing)
        case PartitionWindow() | SessionWindow():
            counted = frozenset(one.signature for one in window.predicates)
            return replace(_cut(view, window), counted=view.counted | counted)
        case FilterWindow(patterns):
            selective = any(arg is not None for pattern in patterns for arg in pattern.args)
            passing = frozenset(pattern.signature for pattern in patterns)
            return replace(view, selective=view.selective or selective, passing=passing)
        case IntervalWindow(start, end) if view.at == NOW:
            first, last = offset_from_now(start), offset_from_now(end)
            if first is None or last is None:
                return replace(view, outside=True)
            reach = _intersection(view.window, Reach(max(0, -first), max(0, last)))
            return replace(view, window=reach, outside=view.outside or not first <= 0 <= last)
        case _:
            # Fixed intervals and window functions may look at any time point.
            return replace(view, outside=True)


def _age(time: Term, rule: Rule) -> int | None:
    """How far back from the evaluation time a head time can lie; None = without bound."""
    match time:
        case Now():
            return 0
        case Variable():
            found = None
            for literal in rule.body:
                found = _least(found, _back(literal, time, View()))
            return found
        case Operation("+" | "-" as operator, earlier, Constant(int(shift))):
            return _plus(_age(earlier, rule), -shift if operator == "+" else shift)
    return None


def _back(literal: Formula, time: Variable, view: View) -> int | None:
    """How far back the time lies that a literal binds."""
    match literal:
        case Windowed(window, body):
            return _back(body, time, _through(window, view))
        case At(at, Atom()) if at == time:
            return view.window.past
    return None


def _cut(view: View, window: TupleWindow | PartitionWindow | SessionWindow) -> View:
    """The first cut bounds what later ones see; seen from another time than now it bounds nothing."""
    possible = not view.cut and not view.selective and view.at == NOW
    return replace(view, cut=window) if possible and _bounds(window) else view


def _bounds(window: TupleWindow | PartitionWindow | SessionWindow) -> bool:
    return isinstance(window, SessionWindow) or _count(window) is not None


def _count(window: TupleWindow | PartitionWindow) -> int | None:
    return _plus(points(window.past), points(window.future))


def _farther(known: Retention, signature: Signature, view: View, reader: Reader) -> Retention:
    future = _most(known.future, view.at.future)
    if view.at.past is None and view.cut:
        found = replace(known, future=future, rule=known.rule or reader)
        keys = view.cut.keys_of(signature) or () if isinstance(view.cut, KeyedWindow) else ()
        if isinstance(view.cut, SessionWindow):
            return replace(found, sessions=_with_session(known.sessions, keys, view.cut))
        return replace(found, latest=_with_latest(known.latest, keys, _count(view.cut) or 0, view.cut.whole))
    past = _most(known.past, view.at.past)
    return replace(known, past=past, future=future, rule=known.rule if known.rule and past == known.past else reader)


def _with_latest(known: tuple[Latest, ...], keys: tuple[int, ...], count: int, whole: bool) -> tuple[Latest, ...]:
    counts = {(one.keys, one.whole): one.count for one in known}
    counts[keys, whole] = max(count, counts.get((keys, whole), 0))
    return tuple(sorted(Latest(own, most, all_) for (own, all_), most in counts.items()))


def _with_session(
    known: tuple[KeptSession, ...], keys: tuple[int, ...], window: SessionWindow
) -> tuple[KeptSession, ...]:
    predicates = tuple((one.signature, one.keys) for one in window.predicates)
    gaps = {(one.keys, one.predicates): one.gap for one in known}
    gaps[keys, predicates] = max(points(window.gap) or 0, gaps.get((keys, predicates), 0))
    return tuple(sorted(KeptSession(own, gap, all_) for (own, all_), gap in gaps.items()))


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _least(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


def _most(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)


def _intersection(a: Reach, b: Reach) -> Reach:
    return Reach(_least(a.past, b.past), _least(a.future, b.future))
