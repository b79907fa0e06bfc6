"""Random windows and chains of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from larspark.language.facts import Signature
from larspark.language.tree import (
    HALF_OPEN,
    UNBOUNDED,
    Constant,
    Duration,
    Extent,
    FilterWindow,
    IntervalWindow,
    Keyed,
    PartitionWindow,
    Pattern,
    RegisteredWindow,
    SessionWindow,
    Term,
    TimeWindow,
    TupleWindow,
    Window,
)
from support import registered_windows  # noqa: F401 - they are registered
from support.generate.draw import Draw
from support.generate.setting import Setting
from support.generate.shape import INPUT

KINDS = {
    "time": 4.0, "future": 3.0, "hop": 2.0, "half-open": 1.2, "all": 1.0, "filter": 1.5, "interval": 1.6,
    "tuple": 2.0, "per": 1.5, "session": 1.2, "registered": 0.5,
}  # fmt: skip
COUNTING = ("tuple", "per", "session", "registered")


class WindowMaker:
    """Windows for atoms of a predicate; `bound` makes the terms that bound an interval window."""

    def __init__(self, draw: Draw, setting: Setting, bound: Callable[[], Term]) -> None:
        self.draw, self.setting, self.bound = draw, setting, bound

    def chain(self, signature: Signature) -> tuple[Window, ...]:
        """One to three windows of any kind, in any order."""
        kinds = KINDS if self.setting.counted(signature) else {k: w for k, w in KINDS.items() if k not in COUNTING}
        if self.setting.counted(signature) and self.draw.chance(0.06):  # the last ones among the last ones
            first = TupleWindow(self.draw.pick([2, 3, 4]), 0, self.whole())
            second = self.wide(self.draw.pick(["tuple", "per", "per"]), signature)
            return (first, second) if self.draw.chance(0.6) else (first, self.filter(signature, ()), second)
        length = self.draw.weighted({1: 6, 2: 3, 3: 1})
        return tuple(self.wide(self.draw.weighted(kinds), signature) for _ in range(length))

    def narrow(self, kind: str, signature: Signature) -> tuple[Window, ...]:
        """A window of the kind, or a chain of two."""
        pick = self.draw.pick
        size = pick([0, 1, 2, 3, 4, 6])
        match kind:
            case "time":
                return (TimeWindow(size),)
            case "future":
                return (TimeWindow(pick([0, 0, 1, 3]), pick([1, 2, 3])),)
            case "hop":
                past, future = pick([1, 2, 3, 4]), pick([0, 0, 1])
                return (TimeWindow(past, future, self.draw.random.randint(1, past + future + 1)),)
            case "half-open":
                length = pick([2, 3, 4])
                return (TimeWindow(length, HALF_OPEN, self.draw.random.randint(2, length)),)
            case "all":
                return (TimeWindow(UNBOUNDED),)
            case "filter":
                return (self.filter(signature, ["x"]),)
            case "interval":
                start = self.draw.random.randint(0, 8)
                return (IntervalWindow(Constant(start), Constant(start + size)),)
            case "per" if signature.arity:
                keys = pick([(0,), (0, 1)][: signature.arity])
                return (PartitionWindow(pick([1, 2]), 0, self.keyed(signature, keys), self.whole()),)
            case "session":
                keys = pick([(), (0,), (0, 1)][: signature.arity + 1])
                return (SessionWindow(pick([0, 1, 1, 2, 3]), self.keyed(signature, keys)),)
            case "tuple" | "per":
                return (TupleWindow(pick([1, 2, 3, 4]), 0, self.whole()),)
        first, second = kind.split("-")
        return (*self.narrow(first, signature), *self.narrow(second, signature))

    def wide(self, kind: str, signature: Signature) -> Window:
        pick = self.draw.pick
        match kind:
            case "time":
                return TimeWindow(self.length(pick([0, 0, 1, 1, 2, 3, 5])))
            case "future":
                past = UNBOUNDED if self.draw.chance(0.1) else self.length(pick([0, 0, 1, 3]))
                return TimeWindow(past, UNBOUNDED if self.draw.chance(0.1) else self.length(pick([1, 2, 3])))
            case "hop":
                past, future = pick([0, 0, 1, 2, 3, 4]), pick([0, 0, 0, 1, 2])
                hop = self.draw.random.randint(1, past + future + 1)
                return TimeWindow(self.length(past), self.length(future), self.length(hop))
            case "half-open":
                length = pick([1, 2, 3, 4])
                hop = length if self.draw.chance(0.5) else self.draw.random.randint(1, length)
                return TimeWindow(self.length(length), HALF_OPEN, self.length(hop))
            case "all":
                return TimeWindow(UNBOUNDED, UNBOUNDED if self.draw.chance(0.3) else 0)
            case "filter":
                return self.filter(signature, self.setting.values)
            case "interval":
                start, end = self.bound(), self.bound()
                if self.draw.chance(0.6):  # one that contains something
                    start = Constant(self.setting.start + self.draw.pick([0, 0, 1, 3]))
                    if self.draw.chance(0.5):
                        end = Constant(self.setting.start + self.draw.pick([3, 4, 5, 8]))
                return IntervalWindow(start, end)
            case "per":
                return PartitionWindow(*self.counts(), self.keyed(signature, self.keys(signature)), self.whole())
            case "registered":
                return RegisteredWindow(*pick([("multiples", (2,)), ("multiples", (3,)), ("repeated", ())]))
            case "session":
                return SessionWindow(self.length(pick([0, 1, 1, 2, 3])), self.keyed(signature, self.keys(signature)))
        return TupleWindow(*self.counts(), self.whole())

    def keys(self, signature: Signature) -> tuple[int, ...]:
        keys = [key for key in range(signature.arity) if self.draw.chance(0.6)]
        self.draw.random.shuffle(keys)
        return tuple(keys)

    def keyed(self, signature: Signature, keys: tuple[int, ...]) -> tuple[Keyed, ...]:
        """The predicate with its keys, perhaps with another one that is counted together with it."""
        others = [one for one in INPUT if one != signature and one.arity >= len(keys)]
        found = [Keyed(signature, keys)]
        if others and self.draw.chance(0.4):
            other = self.draw.pick(others)
            found.append(Keyed(other, tuple(self.draw.random.sample(range(other.arity), len(keys)))))
            self.draw.random.shuffle(found)
        return tuple(found)

    def whole(self) -> bool:
        return self.draw.chance(0.3)

    def counts(self) -> tuple[Extent, Extent]:
        past = self.number(self.draw.pick([1, 1, 2, 3]))
        future = self.draw.weighted({0: 8, 1: 1, 2: 1, UNBOUNDED: 0.3})
        return past, self.number(future) if isinstance(future, int) and future else future

    def number(self, size: int) -> Extent:
        const = self.setting.const
        return Constant(const.name) if const and self.draw.chance(0.6) else size

    def length(self, size: int) -> Extent:
        """So many time points, perhaps as a duration."""
        clock = self.setting.clock
        return Duration(size * clock.length.amount, clock.length.unit) if clock else self.number(size)

    def filter(self, signature: Signature, values: Sequence[int | str]) -> FilterWindow:
        wanted = {signature, self.draw.pick(INPUT)} if self.draw.chance(0.9) else {self.draw.pick(INPUT)}
        options = [None, None, self.draw.pick(values)] if values else [None]
        return FilterWindow(
            tuple(
                Pattern(one.predicate, tuple(self.draw.pick(options) for _ in range(one.arity)))
                for one in sorted(wanted)
            )
        )
