"""Choices of a keyed stage: each key is decided by a reasoner of its own.

No rule of the stage joins two keys, so what is chosen for one says nothing about the others. Deciding them apart makes
the choice for a key the same whichever others share its partition, and solves again only what has changed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from larspark.analysis.analysis import Analysis
from larspark.analysis.structure.occurrences import body_occurrences
from larspark.language.calendar import Calendar
from larspark.language.evaluate import Functions
from larspark.language.facts import Fact, Signature
from larspark.language.traversal import walk
from larspark.language.tree import At, IntervalWindow, Node, Now, Rule, TimeWindow
from larspark.language.values import Value
from larspark.reasoners.clingo.reasoner import ClingoReasoner
from larspark.reasoners.packing import pack, unpack
from larspark.reasoners.protocol import Answer, Change
from larspark.reasoners.results import change_between, stream_of

Key: TypeAlias = Value | None
"""None: no key at all, for what follows from fixed data in every partition."""

HeldT = TypeVar("HeldT", bound=Hashable)


@dataclass(frozen=True)
class Keys:
    """Where the keys of a partition are found."""

    places: Mapping[Signature, int]
    """The argument with the key, in each predicate that is given."""
    lasting: Mapping[Value | None, tuple[Fact, ...]]
    """The keys that can have conclusions without data, with their background."""
    background: tuple[Fact, ...]
    """That of all other keys."""


@dataclass
class _Decided:
    """A key with its reasoner."""

    reasoner: ClingoReasoner
    latest: int
    """When something came for it."""


class PerKey:
    """A reasoner for each key of a partition; see `reasoners/protocol.py` for its use."""

    def __init__(
        self, analysis: Analysis, keys: Keys, start: int, *, functions: Functions | None, calendar: Calendar | None
    ) -> None:
        self._analysis = analysis
        self._given = keys
        self._start = self._time = start
        self._functions, self._calendar = functions, calendar
        self._reach = _reach(analysis)
        self._timeless = not any(_shows_the_clock(node) for rule in _without_data(analysis) for node in walk(rule))
        self._now: Counter[Fact] = Counter()
        self._pinned: Counter[tuple[int, Fact]] = Counter()
        self._keys = {key: self._begun(key) for key in keys.lasting}
        self._awake = dict.fromkeys(self._keys)
        """The keys whose conclusions may change though nothing comes for them."""
        self._void: set[Key] = set()
        """The keys without an answer stream; one is enough that there is none at all."""

    def advance(self, time: int, atoms: Sequence[Fact] = ()) -> Change:
        """See the protocol."""
        self._time = time
        coming: dict[Key, list[Fact]] = defaultdict(list)
        for fact in atoms:
            coming[fact.args[self._given.places[fact.signature]]].append(fact)
        for key in coming:
            if key not in self._keys:
                self._keys[key] = self._begun(key)
            self._keys[key].latest = time
            self._awake[key] = None
        changes = [change for key in list(self._awake) for change in self._decided(key, coming.get(key, ()))]
        appeared, disappeared = _told(
            self._now, (one.appeared for one in changes), (one.disappeared for one in changes)
        )
        pinned, unpinned = _told(self._pinned, (one.pinned for one in changes), (one.unpinned for one in changes))
        return Change(time, appeared, disappeared, pinned, unpinned, not self._void)

    def next_change(self) -> int | None:
        """See the protocol."""
        return self._time + 1 if self._awake else None

    def answer(self, models: int | None = 1) -> Answer:
        """See the protocol; the combination of what was chosen for each key is the only one that is told."""
        del models
        if self._void:
            return Answer(self._time, ())
        here = ((self._time, fact) for fact in self._now)
        return Answer(self._time, (stream_of(self._time, (*here, *self._pinned)),))

    def snapshot(self) -> bytes:
        """All that later evaluations depend on."""
        keys = [(key, one.latest, one.reasoner.snapshot()) for key, one in self._keys.items()]
        return pack((self._time, self._now, self._pinned, list(self._awake), self._void, keys))

    def resume(self, data: bytes) -> None:
        """Go on where a snapshot of the same stage was taken; the bytes must come from `snapshot`."""
        self._time, now, pinned, awake, self._void, keys = unpack(data)
        self._now, self._pinned, self._awake = Counter(now), Counter(pinned), dict.fromkeys(awake)
        self._keys = {}
        for key, latest, saved in keys:
            self._keys[key] = _Decided(self._begun(key).reasoner, latest)
            self._keys[key].reasoner.resume(saved)

    def _begun(self, key: Key) -> _Decided:
        background = self._given.lasting.get(key, self._given.background)
        reasoner = ClingoReasoner(
            self._analysis, background, self._start, functions=self._functions, calendar=self._calendar
        )
        return _Decided(reasoner, self._time)

    def _decided(self, key: Key, atoms: Sequence[Fact]) -> Iterator[Change]:
        """Evaluate a key. Where its data is no longer seen, it is at rest, or concludes no more than any other."""
        one = self._keys[key]
        change = one.reasoner.advance(self._time, atoms)
        yield change
        (self._void.discard if change.consistent else self._void.add)(key)
        if self._reach is None or self._time - one.latest <= self._reach:
            return
        if key not in self._given.lasting:
            del self._keys[key], self._awake[key]
            self._void.discard(key)
            for stream in one.reasoner.answer().answer_streams:
                yield change_between(self._time, stream, None)
        elif self._timeless:
            del self._awake[key]


def _reach(analysis: Analysis) -> int | None:
    """How long data can matter; None: for ever."""
    longest = 0
    for signature in analysis.extensional:
        kept = analysis.retention[signature]
        if kept.past is None or kept.by_arrivals:
            return None
        longest = max(longest, kept.past)
    return longest


def _without_data(analysis: Analysis) -> Iterable[Rule]:
    """The rules that may fire where nothing is given; one that names what arrives now does not."""
    for rule in analysis.program.rules:
        bare = (one.signature for one in body_occurrences(rule) if not (one.windows or one.strict))
        if not any(signature in analysis.extensional for signature in bare):
            yield rule


def _shows_the_clock(node: Node) -> bool:
    """Whether conclusions without data may differ from one time point to the next."""
    match node:
        case Now() | At() | IntervalWindow():
            return True
        case TimeWindow(hop=hop):
            return hop != 1
    return False


def _told(
    held: Counter[HeldT], gained: Iterable[Iterable[HeldT]], lost: Iterable[Iterable[HeldT]]
) -> tuple[frozenset[HeldT], frozenset[HeldT]]:
    """What the first key concludes and what the last one no longer does; several may conclude the same."""
    change: Counter[HeldT] = Counter()
    for some in gained:
        change.update(some)
    for some in lost:
        change.subtract(some)
    appeared = frozenset(one for one, count in change.items() if count > 0 and not held[one])
    held.update(change)
    disappeared = frozenset(one for one, count in change.items() if count < 0 and not held[one])
    for one in disappeared:
        del held[one]
    return appeared, disappeared
