"""Random streams: dense, sparse, in bursts, with repeated arrivals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from larspark.language.facts import Fact, Signature
from larspark.semantics.streams import Stream
from support.generate.draw import Draw
from support.generate.setting import Setting
from support.generate.shape import FREQUENT_INPUT, UNKNOWN, VALUES

MOST_FIRED = 8


def random_stream(
    random: Random,
    start: int,
    signatures: Sequence[Signature] = FREQUENT_INPUT,
    least: int = 1,
    fired: Sequence[tuple[int, Fact]] = (),
) -> Stream:
    """Nothing arrives in the first two time points, so that heads may point two points back.

    Some of up to 14 arrivals give way to those that make rules fire.
    """
    fired = [(time, fact) for time, fact in fired if time >= start + 2][:MOST_FIRED]
    draw, setting = Draw(random), Setting(start, VALUES, frozenset())
    time, arrivals = start + 2, []
    gaps = draw.pick([[0, 0, 1, 1, 1, 2], [0, 0, 0, 4], [1, 2, 3]])
    number = random.randint(least, 14)
    for _ in range(max(least, number - len(fired))):
        time = min(time + draw.pick(gaps), start + 11)
        arrivals.append((time, setting.fact(draw, draw.pick(signatures))))
    return Stream.of(start, None, sorted([*arrivals, *fired], key=lambda one: one[0]))


def wide_stream(
    draw: Draw, setting: Setting, named: Sequence[Signature], least: int = 1, fired: Sequence[tuple[int, Fact]] = ()
) -> Stream:
    """Up to 9 arrivals of the named predicates, often from the first time point on, now and then one a second time.

    Some of them give way to those that make rules fire.

    Those with arguments come more often, and often one predicate more than others, so that several of its atoms meet.
    """
    start = setting.start
    named = [signature for signature in named for _ in range(2 if signature.arity else 1)]
    if draw.chance(0.35):
        named += [draw.pick(named)] * len(named)
    time, arrivals = start + draw.pick([0, 0, 1, 2]), list[tuple[int, Fact]]()
    gaps = draw.pick([[0, 0, 1], [0, 1, 1, 2], [0, 0, 0, 3], [1], [2, 5], [0]])
    number = draw.random.randint(least, 9)
    fired = fired[:MOST_FIRED]
    for _ in range(max(draw.pick([2, 3, 5]), number - len(fired) // 2)):
        arrivals.append((time, setting.fact(draw, draw.pick(named))))
        if draw.chance(0.1):
            arrivals.append(draw.pick([(time, fact) for _, fact in arrivals]))
        if draw.chance(0.08):
            arrivals.append((time, Fact(UNKNOWN.predicate)))
        time = min(time + draw.pick(gaps), start + 12)
    arrivals += _meeting(draw, setting, set(named))
    arrivals += fired
    return Stream.of(start, None, sorted(arrivals, key=lambda one: one[0]))


def dense_stream(
    draw: Draw, setting: Setting, named: Sequence[Signature], fired: Sequence[tuple[int, Fact]] = ()
) -> Stream:
    """Some 20 arrivals, so that windows have something at every border, groups go on, end and begin again.

    Each predicate has few atoms, which come again and again, also several times at once, and for a while in the middle
    nothing does.
    """
    start = setting.start
    atoms = [setting.fact(draw, one) for one in dict.fromkeys(named) for _ in range(4 if one.arity else 1)]
    quiet = start + draw.pick([3, 5, 6])
    silent = range(quiet, quiet + draw.pick([0, 2, 4]))
    most = draw.pick([1, 2, 3, 6])
    arrivals = [
        (time, draw.pick(atoms))
        for time in range(start, start + draw.pick([8, 12]))
        if time not in silent
        for _ in range(draw.random.randint(0, most))
    ]
    arrivals += fired[:MOST_FIRED]
    return Stream.of(start, None, sorted(arrivals, key=lambda one: one[0]))


def _meeting(draw: Draw, setting: Setting, named: set[Signature]) -> Iterator[tuple[int, Fact]]:
    """Now and then a path to follow, `e(x) f(x,1) f(1,2)`, or an atom at several time points, behind all others."""
    first = setting.start + draw.pick([1, 2, 3])
    one, two, three = draw.random.sample(setting.values, 3)
    if named >= {Signature("e", 1), Signature("f", 2)} and draw.chance(0.25):
        yield from ((first, fact) for fact in (Fact("e", (one,)), Fact("f", (one, two)), Fact("f", (two, three))))
    if Signature("a", 0) in named and draw.chance(0.15):
        yield from ((first + place, Fact("a")) for place in range(3))
