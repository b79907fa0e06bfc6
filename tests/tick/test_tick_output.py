"""The output path: lines that follow the changes say what would have been written from scratch."""

from __future__ import annotations

import json
import threading
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.language.facts import Fact, fact_order
from larspark.reasoners.protocol import Change
from larspark.tick import sinks
from larspark.tick.ordered import OrderedTexts
from larspark.tick.output import Model, Output
from larspark.tick.renderings import ModelJson, ModelText, changes_as_json, changes_as_text
from larspark.tick.sinks import Consumer, Slow
from larspark.tick.ticks import Tick

FACTS = [Fact(name, args) for name in ("p", "q") for args in ((), (1,), (-2,), ("x",), ("two words",), ("ü", 10))]


def in_order(facts: frozenset[Fact]) -> list[str]:
    return [str(one) for one in sorted(facts, key=fact_order)]


@settings(max_examples=200)
@given(st.lists(st.tuples(st.frozensets(st.sampled_from(FACTS)), st.booleans()), max_size=6))
def test_lines_follow_the_model(models: list[tuple[frozenset[Fact], bool]]) -> None:
    text, as_json, before = ModelText(), ModelJson(), frozenset[Fact]()
    for time, (after, consistent) in enumerate(models):
        output = Output(Tick(time, 2 * time), after - before, before - after, consistent)
        expected = in_order(after)
        assert text(output) == f"{time}: {(', '.join(expected) or '-') if consistent else 'no answer stream'}"
        model = expected if consistent else None
        assert json.loads(as_json(output)) == {"time": time, "count": 2 * time, "model": model}
        before = after


def test_many_facts_stay_in_order() -> None:
    """Enough of them for many blocks, which grow, split, shrink and vanish."""
    random, texts, present = Random(1), OrderedTexts(), set[Fact]()
    for share in (0.9, 0.5, 0.1, 0.0, 0.7):
        drawn = {Fact("p", (random.randrange(20_000),)) for _ in range(4000)} if share else set[Fact]()
        gone = {one for one in sorted(present) if random.random() > share}
        texts.remove(gone)
        present -= gone
        texts.add(drawn - present)
        present |= drawn
        assert texts.joined() == ", ".join(in_order(frozenset(present)))


def test_changes_are_written_in_order() -> None:
    output = Output(Tick(4, 9), frozenset(FACTS[:3]), frozenset(FACTS[6:8]))
    assert changes_as_text(output) == "4: + p, + p(-2), + p(1), - q, - q(1)"
    assert json.loads(changes_as_json(output)) == {
        "time": 4,
        "count": 9,
        "appeared": ["p", "p(-2)", "p(1)"],
        "disappeared": ["q", "q(1)"],
        "consistent": True,
    }
    assert changes_as_text(Output(Tick(4, 9), consistent=False)) == "4: no answer stream"


def test_a_signal_that_is_also_concluded_is_written_once() -> None:
    model, atom = Model(lambda _: True), FACTS[1]
    model.signal(atom)
    model.update(Change(0, appeared=frozenset({atom})))
    assert model.output(Tick(0, 1)).appeared == {atom}
    model.next_time()
    assert not model.changed
    model.update(Change(1, disappeared=frozenset({atom})))
    assert model.output(Tick(1, 1)).disappeared == {atom}


def test_a_buffer_is_bounded_in_bytes() -> None:
    """A consumer that never takes anything: of lines of half the limit at most two wait, the rest is dropped."""
    taken = threading.Event()

    def never_done(_: bytes) -> None:
        taken.set()
        threading.Event().wait()

    consumer = Consumer(never_done, capacity=1000, slow=Slow.DROP)
    consumer.write(b"first")
    assert taken.wait(10)
    half = bytes(sinks.WAITING_BYTES // 2)
    for _ in range(7):
        consumer.write(half)
    assert consumer.dropped == 5
