"""The brackets of windows on the page are what the windows select."""

from __future__ import annotations

import math

from larspark.explain.history import Sourced
from larspark.language.facts import Fact
from larspark.language.windows.selection import Arrival, Selection
from larspark.runtime.prepared import prepare
from larspark.web.live import Input, Live
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
    live = Live(prepared, None, "interval", Input(tuple(arrivals)), history=1000, start=0)
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
