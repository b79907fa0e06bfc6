"""Expire and fire: the window atoms (and other decided atoms) that hold at an evaluation time, with their labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from larspark.intervals.sets import FOREVER, Interval, IntervalSet, coalesce, intersect
from larspark.language.extended_atoms import Quantifier
from larspark.language.facts import Fact, Signature
from larspark.language.tree import TimeWindow, points
from larspark.language.values import Value
from larspark.language.windows.selection import CONCLUDED, Arrival
from larspark.reasoners.answer_update.history import ArrivalHistory
from larspark.reasoners.answer_update.labels import around
from larspark.reasoners.answer_update.nodes import LiteralView, SeenAtom
from larspark.reasoners.answer_update.windows import extent, first_nonempty, lasting, select
from larspark.reasoners.pinned import Pinned


class AtomTable:
    """Atoms with an optional time, found by the values of any arguments; indexes are built when first asked for."""

    def __init__(self, entries: Iterable[tuple[int | None, Fact]] = ()) -> None:
        self.entries = list(entries)
        self._indexes: dict[tuple[int, ...], dict[tuple[Value, ...], list[tuple[int | None, Fact]]]] = {}

    def add(self, time: int | None, fact: Fact) -> None:
        self.entries.append((time, fact))
        for positions, index in self._indexes.items():
            index[tuple(fact.args[position] for position in positions)].append((time, fact))

    def find(self, positions: tuple[int, ...], values: tuple[Value, ...]) -> list[tuple[int | None, Fact]]:
        """The entries with these values at these argument positions."""
        if not positions:
            return self.entries
        index = self._indexes.get(positions)
        if index is None:
            index = self._indexes[positions] = defaultdict(list)
            for time, fact in self.entries:
                index[tuple(fact.args[position] for position in positions)].append((time, fact))
        return index.get(values, [])


class Everywhere(AtomTable):
    """Background read by `@` in a window without end: it holds at every time point from the first one on."""

    def __init__(self, facts: Iterable[Fact], first: int, lasts: IntervalSet) -> None:
        super().__init__((None, fact) for fact in facts)
        self.first = first
        self.lasts = lasts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Everywhere) and (self.entries, self.first) == (other.entries, other.first)

    __hash__ = None  # type: ignore[assignment]


class ViewRows(AtomTable):
    """What a view shows at one evaluation: the atoms that are in, with their intervals."""

    def __init__(
        self, labels: Mapping[SeenAtom, IntervalSet], until: int, everywhere: Everywhere | None = None
    ) -> None:
        super().__init__((seen.time, seen.fact) for seen in labels)
        self.labels = labels
        self.until = until
        """As long as nothing arrives, the same atoms are in up to this evaluation time."""
        self.everywhere = everywhere
        """Atoms that are in at so many times that they are not listed."""

    def label(self, seen: SeenAtom) -> IntervalSet | None:
        """The intervals of an atom, None when it is out."""
        listed = self.labels.get(seen)
        if listed is not None or self.everywhere is None or seen.time is None or seen.time < self.everywhere.first:
            return listed
        return self.everywhere.lasts if (None, seen.fact) in self.everywhere.entries else None

    def same_atoms(self, other: ViewRows) -> bool:
        return self is other or (self.labels.keys() == other.labels.keys() and self.everywhere == other.everywhere)


@dataclass(frozen=True)
class Derived:
    """The conclusions of one stratum about one predicate at an evaluation, with their intervals."""

    now: dict[Fact, IntervalSet] = field(default_factory=dict)
    pinned: dict[Pinned, IntervalSet] = field(default_factory=dict)


class FixedInput:
    """The part of the world that no choice changes: start, time, arrivals and background."""

    def __init__(self, start: int, history: ArrivalHistory, background: Iterable[Fact] = ()) -> None:
        self.start = start
        self.time = start
        self.history = history
        self.background: dict[Signature, list[Fact]] = defaultdict(list)
        for fact in dict.fromkeys(background):
            self.background[fact.signature].append(fact)
        self._rows: dict[LiteralView, tuple[int, ViewRows]] = {}

    def rows(self, view: LiteralView) -> ViewRows:
        """Rows of a predicate that only arrives; the same object as long as nothing fires or expires."""
        version = self._version(view)
        found = self._rows.get(view)
        if found is not None and found[0] == version and self.time <= found[1].until:
            return found[1]
        rows = look(self, view, Derived())
        self._rows[view] = (version, rows)
        return rows

    def _version(self, view: LiteralView) -> int:
        if view.counts_arrivals:
            return self.history.count
        return self.history.changes[view.signature]


def look(world: FixedInput, view: LiteralView, derived: Derived) -> ViewRows:
    """The atoms seen through a view at the present time."""
    unseen = FOREVER
    match view.windows:
        case () if view.quantifier is Quantifier.NOW:
            pieces = _plain(world, view, derived)
        case _ if view.signature in world.history.holds:  # what holds on may end at any time
            return _through_any_window(world, view, derived)
        case ():
            pieces = _at(world, view, derived)
        case (TimeWindow() as window,) if view.quantifier is not Quantifier.ALWAYS:
            pieces = _through_time_window(world, view, window, derived)
            unseen = _unseen(world, window, derived)
        case _:
            return _through_any_window(world, view, derived)
    labels = _collect(pieces)
    present = {seen: now for seen, intervals in labels.items() if (now := around(intervals, world.time))}
    ends = [end for ((_, end),) in present.values()]
    starts = [start - 1 for intervals in labels.values() for start, _ in intervals if start > world.time]
    everywhere = _everywhere(world, view)
    moving = everywhere is not None and everywhere.lasts[0][1] == world.time
    until = world.time if moving else unseen
    return ViewRows(present, min([until, *ends, *starts]), everywhere)


def _everywhere(world: FixedInput, view: LiteralView) -> Everywhere | None:
    """The background of `@T a` without a window, or in one time window without end."""
    facts = world.background.get(view.signature)
    if facts is None or view.quantifier is not Quantifier.AT:
        return None
    match view.windows:
        case ():
            return Everywhere(facts, world.start, ((world.start, FOREVER),))
        case (TimeWindow(future=future) as window,) if points(future) is None:
            first = max(extent(window, world.time)[0], world.start)
            return Everywhere(facts, first, ((world.time, world.time),))
    return None


def _collect(pieces: Iterable[tuple[SeenAtom, IntervalSet]]) -> dict[SeenAtom, IntervalSet]:
    parts: dict[SeenAtom, list[Interval]] = {}
    for seen, intervals in pieces:
        parts.setdefault(seen, []).extend(intervals)
    return {seen: coalesce(intervals) for seen, intervals in parts.items()}


def _plain(world: FixedInput, view: LiteralView, derived: Derived) -> Iterator[tuple[SeenAtom, IntervalSet]]:
    """`a`: holds at the evaluation time itself."""
    time = world.time
    for arrived, _, fact in world.history.points(view.signature):
        if arrived == time:
            yield SeenAtom(view, None, fact), ((time, time),)
    for fact, intervals in derived.now.items():
        yield SeenAtom(view, None, fact), intervals
    for (pinned, fact), intervals in derived.pinned.items():
        yield SeenAtom(view, None, fact), intersect(intervals, ((pinned, pinned),))
    for fact in world.background.get(view.signature, ()):
        yield SeenAtom(view, None, fact), ((world.start, FOREVER),)


def _at(world: FixedInput, view: LiteralView, derived: Derived) -> Iterator[tuple[SeenAtom, IntervalSet]]:
    """`@T a` over the whole history; where background holds is not listed."""
    for arrived, _, fact in world.history.points(view.signature):
        yield SeenAtom(view, arrived, fact), ((arrived, FOREVER),)
    for fact in derived.now:
        yield SeenAtom(view, world.time, fact), ((world.time, world.time),)
    for (pinned, fact), intervals in derived.pinned.items():
        yield SeenAtom(view, pinned, fact), intervals


def _through_time_window(
    world: FixedInput, view: LiteralView, window: TimeWindow, derived: Derived
) -> Iterator[tuple[SeenAtom, IntervalSet]]:
    """`⊞ ◇ a` and `⊞ @t a`: a point is seen while the window reaches it *and* the point itself is valid.

    The published labels of future windows leave out the second half and last too long.
    """
    at = view.quantifier is Quantifier.AT
    for arrived, _, fact in world.history.points(view.signature):
        valid = intersect(lasting(window, arrived), ((arrived, FOREVER),))
        yield SeenAtom(view, arrived if at else None, fact), valid
    for (pinned, fact), intervals in derived.pinned.items():
        yield SeenAtom(view, pinned if at else None, fact), intersect(intervals, lasting(window, pinned))
    start, end = extent(window, world.time)
    sliding = window.hop == 1
    if start <= world.time <= end:
        for fact, intervals in derived.now.items():
            lasts = intervals if sliding and not at else ((world.time, world.time),)
            yield SeenAtom(view, world.time if at else None, fact), lasts
    # The points ahead are not seen yet, but they end what is seen now.
    everywhere = range(max(start, world.start), end + (points(window.hop) or 1) + 1) if end < FOREVER else range(0)
    for fact in world.background.get(view.signature, ()):
        if at:
            yield from ((SeenAtom(view, time, fact), lasting(window, time)) for time in everywhere)
        else:
            yield SeenAtom(view, None, fact), ((first_nonempty(window, world.start), FOREVER),)


def _unseen(world: FixedInput, window: TimeWindow, derived: Derived) -> int:
    """How long a window sees nothing of what holds now and may go on holding, whatever its label says: until it
    reaches a pinned time, or the next pivot where it stays behind the evaluation time."""
    ends = [start - 1 for pinned, _ in derived.pinned for start, _ in lasting(window, pinned) if start > world.time]
    if derived.now and extent(window, world.time)[1] < world.time:
        ends.append(window.pivot(world.time) + (points(window.hop) or 1) - 1)
    return min(ends, default=FOREVER)


def _through_any_window(world: FixedInput, view: LiteralView, derived: Derived) -> ViewRows:
    """Any other window, chain of windows, or `□`: decided on the substream, for the present evaluation."""
    time = world.time
    stream = select(view.windows, _stream(world, view, derived), world.start, time)
    end = FOREVER if stream.last is None else stream.last
    everywhere = range(stream.first, end + 1) if end < FOREVER else range(0)
    background = frozenset(world.background.get(view.signature, ()))
    times: dict[Fact, set[int]] = {fact: set() for fact in background}
    for at, _, fact in stream.arrivals:
        if fact.signature == view.signature:
            times.setdefault(fact, set()).add(at)
    length = max(0, end - stream.first + 1)
    labels = {
        SeenAtom(view, at, fact): ((time, time),)
        for fact, occupied in times.items()
        for at in _modal(view.quantifier, length, everywhere if fact in background else None, occupied)
    }
    endless = view.quantifier is Quantifier.AT and background and end == FOREVER
    return ViewRows(labels, time, Everywhere(background, stream.first, ((time, time),)) if endless else None)


def _stream(world: FixedInput, view: LiteralView, derived: Derived) -> list[Arrival]:
    """The points of a predicate, with all other arrivals where windows count them; in the order of time."""
    points = sorted(world.history.points(view.signature), key=lambda arrival: arrival.time)
    concluded = [Arrival(world.time, CONCLUDED, fact) for fact in derived.now]
    concluded += [Arrival(pinned.time, CONCLUDED, pinned.fact) for pinned in derived.pinned]
    if view.counts_arrivals:
        concluded += [point for point in points if point.number == CONCLUDED]
        points = world.history.log
    return sorted([*points, *concluded], key=lambda arrival: arrival.time) if concluded else points


def _modal(mode: Quantifier, length: int, everywhere: range | None, occupied: set[int]) -> Iterator[int | None]:
    """The times at which a fact is seen (None without `@`): it holds at the `occupied` points of a substream of
    the given length, or, as background, everywhere in it."""
    match mode:
        case Quantifier.ALWAYS:
            if length and (everywhere is not None or len(occupied) == length):
                yield None
        case Quantifier.AT:
            yield from sorted(occupied) if everywhere is None else everywhere
        case _:
            if occupied or (everywhere is not None and length):
                yield None
