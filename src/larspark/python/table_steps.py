"""Tables that arrive at a running program: every time point up to the last one is evaluated, changes are a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from larspark.blocks import Block
from larspark.diagnostics import Rejected
from larspark.language.facts import Fact
from larspark.python.answers import ChangeTable
from larspark.read import Chunk
from larspark.reasoners.protocol import Change, Foreseeing
from larspark.runtime.running import IntervalRunning, Running
from larspark.runtime.stretches import spans_of
from larspark.write.points import Span


def advance_over(running: Running, blocks: Sequence[Block]) -> ChangeTable:
    """Let blocks arrive, one for each predicate; `Rejected` changes nothing."""
    blocks = [block for block in blocks if len(block)]
    if not blocks:
        return ChangeTable(())
    first = min(int(block.times[0]) for block in blocks)
    running.require_time(first)
    columns = isinstance(running, IntervalRunning) and not running.lateness and not running.prepared.analysis.recorded
    return ChangeTable((_in_columns if columns else _by_time_points)(running, blocks, first))


def _in_columns(running: Running, blocks: Sequence[Block], first: int) -> list[tuple[Span, Span]]:
    from larspark.runtime.replay import Replay  # noqa: PLC0415 - loads kernels

    assert isinstance(running, IntervalRunning)
    reasoner, parts = running.reasoner, list[tuple[Span, Span]]()
    last = max(int(block.times[-1]) for block in blocks)
    with reasoner.as_one():
        replay = Replay(reasoner, running.prepared.analysis.shown, first if running.time is None else running.time)
        if first == running.time:
            parts.append(replay.changes_now([block.split(first + 1)[0] for block in blocks]))
            blocks = [block.split(first + 1)[1] for block in blocks]
        if running.time is None or last > running.time:
            parts.append(replay.changes_until(blocks, last))
    running.time = last
    return parts


def _by_time_points(running: Running, blocks: Sequence[Block], first: int) -> list[tuple[Span, Span]]:
    """With reasoners that take facts, or take them late."""
    del first
    state, time = running.state(), running.time
    rows = sorted(Chunk(tuple(blocks)).rows(), key=itemgetter(1, 0))
    try:
        return [
            spans_of(change)
            for point, group in groupby(rows, itemgetter(1))
            for change in _steps(running, point, [fact for _, _, fact in group])
        ]
    except Rejected:
        running.resume(state)
        running.time = time
        raise


def _steps(running: Running, time: int, facts: Sequence[Fact]) -> Iterator[Change]:
    """The evaluations up to a time at which something arrives."""
    while running.time is not None and running.time < time - 1:
        reasoner = running.reasoner
        following = reasoner.next_change() if isinstance(reasoner, Foreseeing) else running.time + 1
        if following is None or following >= time:
            break
        yield running.advance(following, ())
    yield running.advance(time, facts)


def changes_in(table: ChangeTable) -> Iterator[Change]:
    """The changes of a table one by one, for those who are told."""
    here: dict[tuple[int, int], list[Fact]] = {}
    pinned: dict[tuple[int, int], list[tuple[int, Fact]]] = {}
    void: set[int] = set()
    for part in table.parts:
        void.update(part[0].void.tolist())
        for side, span in enumerate(part):
            for block in span.blocks:
                times, facts = block.times.tolist(), block.facts()
                if block.at is None:
                    for time, fact in zip(times, facts, strict=True):
                        here.setdefault((time, side), []).append(fact)
                else:
                    for time, at, fact in zip(times, block.at.tolist(), facts, strict=True):
                        pinned.setdefault((time, side), []).append((at, fact))
    for time in sorted({*(time for time, _ in (*here, *pinned)), *void}):
        appeared, disappeared = (frozenset(here.get((time, side), ())) for side in (0, 1))
        pins, unpinned = (frozenset(pinned.get((time, side), ())) for side in (0, 1))
        yield Change(time, appeared, disappeared, pins, unpinned, time not in void)
