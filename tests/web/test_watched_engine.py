"""A page beside an engine that somebody else drives: the engine hands over what happens, readers do the work."""

from __future__ import annotations

from larspark.language.parser import parse_fact
from larspark.runtime.prepared import prepare
from larspark.runtime.running import started
from larspark.web.following import LiveFollowing
from larspark.web.watching import watched


def test_what_was_watched_is_told_in_its_order():
    prepared = prepare("a(X) :- b(X) [1].")
    followed = LiveFollowing(prepared, None, "interval", 0, 100)
    reasoner = watched(started(prepared, "interval", 3, 0).reasoner, followed, 3)
    reasoner.advance(3, [parse_fact("b(1)")])
    reasoner.advance(5, [parse_fact("b(2)"), parse_fact("b(3)")])
    assert followed.unsettled
    assert followed.log.end == 0
    followed.refuse([])
    assert not followed.unsettled
    events, _ = followed.log.since(0, 10)
    assert [(event.id, [str(one.fact) for one in event.arrived]) for event in events] == [
        ("3", ["b(1)"]),
        ("5", ["b(2)", "b(3)"]),
        ("5.1", []),
    ]
    reasoner.advance(6, [])
    asked = followed.asked()
    assert (asked.end, len(asked.arrivals)) == (6, 3)
    assert followed.state()["accounts"]["used"] == 3
    watched(started(prepared, "interval", 9, 0).reasoner, followed, 9)
    assert followed.asked().arrivals == ()
