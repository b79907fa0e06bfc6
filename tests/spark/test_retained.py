"""What a bucket remembers of its arrivals, beside the windows that look at them later."""

from __future__ import annotations

from random import Random

import pytest

from larspark.analysis.analysis import KeptSession, Latest
from larspark.blocks import Block
from larspark.language.facts import Fact, Signature
from larspark.language.tree import Keyed, KeyedWindow, PartitionWindow, SessionWindow
from larspark.language.values import Value
from larspark.language.windows.selection import Arrival, Selection
from larspark.spark.stream.buckets.retention import Retained

ON, OFF = Keyed(Signature("on", 1), (0,)), Keyed(Signature("off", 2), (1,))
TOGETHER = ((ON.signature, ON.keys), (OFF.signature, OFF.keys))
WINDOWS: dict[str, tuple[KeyedWindow, Retained]] = {
    "session": (
        SessionWindow(2, (ON, OFF)),
        Retained(
            {ON.signature: 0, OFF.signature: 0},
            (),
            frozenset({KeptSession((0,), 2, TOGETHER), KeptSession((1,), 2, TOGETHER)}),
            None,
        ),
    ),
    "whole": (
        PartitionWindow(2, 0, (ON, OFF), whole=True),
        Retained(
            {ON.signature: 0, OFF.signature: 0},
            ((ON.signature, Latest((0,), 2, True)), (OFF.signature, Latest((1,), 2, True))),
            frozenset(),
            None,
        ),
    ),
}


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("values", [("x", "y"), (1, 2), (1, "y")], ids=str)
def test_windows_over_several_predicates_see_what_they_need(name: str, values: tuple[Value, ...]) -> None:
    window, retained = WINDOWS[name]
    forgotten = 0
    for seed in range(60):
        random = Random(seed)
        arrivals = []
        for number, time in enumerate(sorted(random.randint(0, 9) for _ in range(12))):
            key = random.choice(values)
            arrivals.append(Arrival(time, number, random.choice([Fact("on", (key,)), Fact("off", ("z", key))])))
        watermark = random.randint(2, 9)
        blocks = [
            Block.of(one, [(arrival.time, arrival.fact.args) for arrival in arrivals if arrival.fact.signature == one])
            for one in (ON.signature, OFF.signature)
        ]
        kept = {
            (time, fact)
            for one in retained.kept(blocks, watermark)
            for time, fact in zip(one.times.tolist(), one.facts(), strict=True)
        }
        left = [arrival for arrival in arrivals if (arrival.time, arrival.fact) in kept]
        forgotten += len(arrivals) - len(left)
        for now in range(watermark, 13):
            seen = [
                window.select(Selection(0, None, [one for one in some if one.time <= now]), now).arrivals
                for some in (arrivals, left)
            ]
            assert seen[0] == seen[1], (seed, now)
    assert forgotten
