"""The brackets of windows on the page are what the windows select, and held values hold as long as they are said to."""

from __future__ import annotations

import math

from larspark.explain.evaluations.history import Sourced
from larspark.language.facts import Fact
from larspark.language.tree import Hold
from larspark.language.windows.selection import Arrival, Selection
from larspark.runtime.prepared import prepare
from larspark.semantics.holding import held
from larspark.semantics.streams import Arrival as TimedAtom
from larspark.web.live import Live, PlayedInput
from larspark.web.serving import address, beside, door_at
from support.browsers import opened

WINDOWS = (
    "[3]",
    "[2, +1]",
    "[4 hop 2]",
    "[all]",
    "[+2]",
    "[tumble 4]",
    "[hop 2 over 6]",
    "[tumble 1]",
    "[from 3 to 8]",
    "[2 #]",
    "[2 # of a/2]",
    "[1 # per K]",
    "[session 2]",
    "[session 2 per K]",
)
ARRIVALS = (
    *((time, "a", ("x", time)) for time in (1, 2, 5, 6, 13)),
    *((time, "a", ('y, "z"', time)) for time in (2, 4, 9)),
    *((time, "b", ()) for time in (3, 7, 14)),
)
END = 18


def test_brackets_lie_where_windows_select(browser):
    rules = "\n".join(f"r{place}(K) :- a(K,V) {window}." for place, window in enumerate(WINDOWS))
    prepared = prepare(f"#input b/0.\n{rules}")
    arrivals = sorted(Sourced(time, Fact(name, args)) for time, name, args in ARRIVALS)
    live = Live(prepared, None, "interval", PlayedInput(tuple(arrivals)), history=1000, start=0)
    live.load()
    live.advance(END)
    door, listening = door_at("127.0.0.1", 0, None)
    with beside(live, door, listening), opened(browser, address(door)) as page:
        found = page.evaluate("""() => {
            const page = document.body.larspark, all = [];
            for (const rule of page.program.rules)
                for (let time = 0; time <= page.store.end; time++) {
                    [page.rule, page.cursor] = [rule.index, time];
                    all.push(page.windows("a/2").map((one) => [rule.index, time, one.first, one.last])[0]);
                }
            return all;
        }""")
    expected = []
    for index, rule in enumerate(prepared.analysis.program.rules):
        for time in range(END + 1):
            seen = [Arrival(one.time, place, one.fact) for place, one in enumerate(arrivals) if one.time <= time]
            stream, node = Selection(0, None, seen), rule.body[0]
            while hasattr(node, "window"):
                stream, node = node.window.select(stream, time), node.body
            expected.append([index, time, stream.first, math.inf if stream.last is None else stream.last])
    assert found == expected


def test_held_values_are_drawn_as_long_as_they_hold(browser):
    prepared = prepare("#hold a(K,V) per K for 3.\nwarm(K) :- a(K,V), V > 3.")
    arrivals = sorted(Sourced(time, Fact(name, args)) for time, name, args in ARRIVALS if name == "a")
    arrivals.append(Sourced(13, Fact("a", ("x", 6))))
    live = Live(prepared, None, "interval", PlayedInput(tuple(arrivals)), history=1000, start=0)
    live.load()
    live.advance(15)
    door, listening = door_at("127.0.0.1", 0, None)
    with beside(live, door, listening), opened(browser, address(door)) as page:
        found = page.evaluate("""() => {
            const page = document.body.larspark, all = [];
            for (const lane of page.store.lanes)
                for (const [first, last] of page.held.of(lane))
                    for (let time = first; time <= last; time++) all.push(`${time} ${lane.atom}`);
            return all;
        }""")
        page.evaluate("document.body.larspark.setCursor(15)")
        page.get_by_role("heading", name="Holds on").wait_for()
    holds = [one for one in prepared.analysis.program.directives if isinstance(one, Hold)]
    expected = {f"{one.time} {one.fact}" for one in arrivals}
    for time, facts in held(holds, [TimedAtom(one.time, one.fact) for one in arrivals], 15).items():
        expected |= {f"{time} {fact}" for fact in facts}
    assert sorted(found) == sorted(expected)
