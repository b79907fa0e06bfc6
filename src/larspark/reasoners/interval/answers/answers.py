"""The answer as facts: what the live views of the relations show, decoded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import repeat

from larspark.intervals.sets import LATEST
from larspark.intervals.tables.storage import Rows
from larspark.intervals.tables.watch import NEVER
from larspark.language.facts import Fact, Signature
from larspark.reasoners.interval.answers.view import RelationView
from larspark.reasoners.interval.engine.changes import Moved, RelationChanges, keys_of
from larspark.reasoners.interval.engine.engine import IntervalEngine
from larspark.reasoners.interval.network import Relation
from larspark.reasoners.protocol import AnswerStream, Change, Sets
from larspark.reasoners.results import change_between, stream_of

Timed = tuple[int, Fact]

_fact = partial(tuple.__new__, Fact)  # `Fact(*pair)` without the call of a Python function, for very many pairs


Move = tuple[bool, Moved]
"""Whether the keys are those of facts about other time points, their last column; and the keys."""


class Pins:
    """The valid pinned facts of one predicate by their time, beside its facts about the evaluation time."""

    def __init__(self) -> None:
        self.now: set[Fact] = set()
        self.at: dict[int, set[Fact]] = {}

    def holding(self, time: int) -> set[Fact]:
        """What holds at the evaluation time for either reason."""
        return self.now | self.at.get(time, set())

    def pinned(self, times: Iterable[int], evaluation: int) -> set[Timed]:
        """What holds at these times, as far as it is not about the evaluation time."""
        return {(time, fact) for time in times if time != evaluation for fact in self.at.get(time, ())}

    def put(self, time: int, fact: Fact) -> None:
        self.at.setdefault(time, set()).add(fact)

    def take(self, time: int, fact: Fact) -> None:
        facts = self.at[time]
        facts.discard(fact)
        if not facts:
            del self.at[time]


class AnswerView:
    """Follows an engine; `change` tells what is different since it was last asked."""

    def __init__(self, engine: IntervalEngine, shown: Set[Signature] | None = None) -> None:
        """Of these predicates only, if some are named."""
        self.engine = engine
        network, time = engine.network, engine.time

        def views(relations: Mapping[Signature, Relation]) -> dict[Signature, RelationView]:
            return {
                signature: RelationView(relation, engine)
                for signature, relation in relations.items()
                if shown is None or signature in shown
            }

        self.now = views(network.now)
        """What holds at the evaluation time itself, by predicate."""
        self.pinned = views(network.listed)
        """What holds at a time point, the last column."""
        self._inconsistent = RelationView(network.inconsistent, engine)
        self._pins = {signature: Pins() for signature in self.pinned}
        for signature, pins in self._pins.items():
            if signature in self.now:
                pins.now.update(self._decoded(signature, self.now[signature].keys(time)))
            for at, fact in self._timed(signature, self.pinned[signature].keys(time)):
                pins.put(at, fact)
        self._shown: dict[Relation, tuple[Signature, bool]] = {
            **{view.relation: (signature, False) for signature, view in self.now.items()},
            **{view.relation: (signature, True) for signature, view in self.pinned.items()},
        }
        """Relations with the predicate that they show, and whether at other times."""
        self._moves: dict[Signature, list[Move]] = {}
        self._plain = not self._pins and all(rule.head is not network.inconsistent for rule in network.rules)
        """Whether there always is an answer stream, of facts about the evaluation time only."""
        self._steps: list[RelationChanges] = []
        """Then these are looked at when somebody looks at the change."""
        self._told_at = engine.time
        self.consistent = not len(self._inconsistent.keys(time))
        self._was_consistent = self.consistent

    def move(self, changes: RelationChanges) -> None:
        """Follow a step of the engine."""
        if self._plain:
            self._steps.append(changes)
        else:
            self._sort(changes, self._moves)

    def _sort(self, changes: RelationChanges, moves: dict[Signature, list[Move]]) -> None:
        """Put what moves to its predicate."""
        for moved in changes.moved:
            shown = self._shown.get(moved[0])
            if shown is not None:
                signature, pinned = shown
                moves.setdefault(signature, []).append((pinned, moved))
            elif moved[0] is self._inconsistent.relation:
                self.consistent = not moved[1]

    def answer_stream(self) -> AnswerStream | None:
        """All that holds now, None when there is no answer stream."""
        return stream_of(self.engine.time, self._facts()) if self.consistent else None

    def next_change(self) -> int | None:
        """The first later time point at which something may change though nothing arrives; None for never.

        A pinned fact is seen at its time as one about the evaluation time.
        """
        time = self.engine.time
        pins = (at + (at == time) for pins in self._pins.values() for at in pins.at if at >= time)
        found = min(self.engine.next_event, self.engine.next_appearance, min(pins, default=NEVER))
        return None if found >= LATEST else found

    def change_by(self, changes: RelationChanges) -> Change:
        """Follow a step of the engine, and tell what is different."""
        if self._plain and not self._steps:
            return Change.later(self.engine.time, self._looked_at, (changes,))
        self.move(changes)
        return self.change()

    def change(self) -> Change:
        """What is different since the last call; an evaluation without answer stream shows nothing."""
        time = self.engine.time
        if self._plain:
            steps, self._steps = self._steps, []
            return Change.later(time, self._looked_at, steps)
        moved, self._moves = self._moves, {}
        pins = {signature: moved.pop(signature, []) for signature in self._pins}
        sets = self._moved_pins(pins, time) if pins else (set(), set(), set(), set())
        self._told_at = time
        change = Change.later(time, self._followed, moved, *sets) if moved else Change(time, *_frozen(*sets))
        was, self._was_consistent = self._was_consistent, self.consistent
        return change if was and self._was_consistent else self._through_inconsistency(change, was)

    def _moved_pins(
        self, moved: Mapping[Signature, list[Move]], time: int
    ) -> tuple[set[Fact], set[Fact], set[Timed], set[Timed]]:
        """The change of the predicates whose atoms may be about other time points."""
        appeared: set[Fact] = set()
        disappeared: set[Fact] = set()
        pinned: set[Timed] = set()
        unpinned: set[Timed] = set()
        for signature, moves in moved.items():
            pins = self._pins[signature]
            times = {time, self._told_at, *self._touched(moves)}
            now_before, at_before = pins.holding(self._told_at), pins.pinned(times, self._told_at)
            self._apply(signature, moves, pins)
            now_after, at_after = pins.holding(time), pins.pinned(times, time)
            appeared |= now_after - now_before
            disappeared |= now_before - now_after
            pinned |= at_after - at_before
            unpinned |= at_before - at_after
        return appeared, disappeared, pinned, unpinned

    def _through_inconsistency(self, change: Change, was: bool) -> Change:
        """The change when there is, or was, no answer stream."""
        if not was and not self._was_consistent:
            return Change(change.time, consistent=False)
        now = stream_of(change.time, self._facts())
        if not was:
            return change_between(change.time, None, now)
        pins = {(time, fact) for time, facts in now.at.items() for fact in facts}
        return Change(
            change.time,
            disappeared=now.now - change.appeared | change.disappeared,
            unpinned=frozenset(pins - change.pinned | change.unpinned),
            consistent=False,
        )

    def _looked_at(self, steps: Sequence[RelationChanges]) -> Sets:
        moved: dict[Signature, list[Move]] = {}
        for changes in steps:
            self._sort(changes, moved)
        return self._followed(moved, set(), set(), set(), set())

    def _followed(
        self,
        moved: Mapping[Signature, list[Move]],
        appeared: set[Fact],
        disappeared: set[Fact],
        pinned: set[Timed],
        unpinned: set[Timed],
    ) -> Sets:
        """Facts about the evaluation time only: what came and went in between cancels out."""
        for signature, moves in moved.items():
            for _, move in moves:
                facts = set(self._decoded(signature, keys_of(move)))
                if move[1]:
                    _exchange(facts, disappeared, appeared)
                else:
                    _exchange(facts, appeared, disappeared)
        return _frozen(appeared, disappeared, pinned, unpinned)

    @staticmethod
    def _touched(moves: list[Move]) -> Iterator[int]:
        for pinned, move in moves:
            if pinned:
                yield from (keys_of(move)[:, -1] >> 1).tolist()

    def _apply(self, signature: Signature, moves: list[Move], pins: Pins) -> None:
        for pinned, move in moves:
            appeared, keys = move[1], keys_of(move)
            if pinned:
                for time, fact in self._timed(signature, keys):
                    (pins.put if appeared else pins.take)(time, fact)
            elif appeared:
                pins.now.update(self._decoded(signature, keys))
            else:
                pins.now.difference_update(self._decoded(signature, keys))

    # -- decoding ----------------------------------------------------------------------------------

    def _facts(self) -> Iterator[Timed]:
        time = self.engine.time
        for signature, view in self.now.items():
            yield from ((time, fact) for fact in self._decoded(signature, view.keys(time)))
        for signature, view in self.pinned.items():
            yield from self._timed(signature, view.keys(time))

    def _decoded(self, signature: Signature, rows: Rows) -> Iterator[Fact]:
        if not signature.arity:
            return repeat(Fact(signature.predicate), len(rows))
        columns = (self.engine.dictionary.decode_all(rows[:, place]) for place in range(signature.arity))
        return map(_fact, zip(repeat(signature.predicate), zip(*columns, strict=True)))

    def _timed(self, signature: Signature, rows: Rows) -> Iterable[Timed]:
        return zip((row[-1] >> 1 for row in rows.tolist()), self._decoded(signature, rows[:, :-1]), strict=True)


def _frozen(appeared: set[Fact], disappeared: set[Fact], pinned: set[Timed], unpinned: set[Timed]) -> Sets:
    return frozenset(appeared), frozenset(disappeared), frozenset(pinned), frozenset(unpinned)


def _exchange(facts: set[Fact], source: set[Fact], target: set[Fact]) -> None:
    """Put facts into the target, or only take them out of the source if they were there."""
    back = facts & source
    source -= back
    target |= facts - back if back else facts
