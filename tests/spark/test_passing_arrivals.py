"""What a partition only hands on goes past its engine, in pieces; without Spark."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from larspark.analysis.pipeline import analyse
from larspark.blocks import Block
from larspark.language.facts import Fact, Signature
from larspark.language.parser import parse_program
from larspark.reasoners.interval.engine.engine import IntervalEngine
from larspark.spark.evaluate import columnar
from larspark.spark.evaluate.columnar import evaluate_columnar
from larspark.spark.evaluate.messages import Received, messages_of
from larspark.spark.plan.plan import EvaluationSpan, make_plan
from support.bounded_runs import rows_in_partitions
from support.interval_rows import rows_of
from support.momentary_programs import ARRIVALS, END, PROGRAMS, START, shown

SENT = Signature("sent", 2)
COUNT = 1_000


class Partition:
    """One partition over a thousand different texts, two at each time point."""

    def __init__(self, program: str) -> None:
        plan = make_plan(analyse(parse_program(program)), ())
        self._work = plan.work(plan.stages[0], EvaluationSpan(0, 0, COUNT), 1)
        block = Block.of(SENT, ((number // 2, (number, f"text {number}")) for number in range(COUNT)))
        sent = messages_of(block, 0, 0, plan.vocabulary.numbers[SENT], rows=70)
        self._messages = [Received.of(message) for message in sent]
        self.texts: list[int] = []
        """How many the engine knew, whenever the partition told how far it was."""
        self.read = 0

    def __iter__(self) -> Iterator[Block]:
        with patch.object(columnar, "CHUNK", 100):
            yield from evaluate_columnar(self._work, 0, self._messages, self._tell)

    def _tell(self, engine: IntervalEngine, atoms: int) -> None:
        self.texts.append(len(engine.dictionary))
        self.read = atoms


def test_texts_that_are_handed_on_are_not_kept() -> None:
    partition = Partition("#input sent/2. seen(N, X) :- sent(N, X).")
    blocks = list(partition)
    assert [fact.args for block in blocks for fact in block.facts()] == [(one, f"text {one}") for one in range(COUNT)]
    assert all((block.times == block.until).all() for block in blocks)
    assert max(map(len, blocks)) < 300
    assert max(partition.texts) < 10
    assert partition.read == COUNT


def test_texts_in_a_window_are_seen_by_the_engine() -> None:
    partition = Partition("#input sent/2. seen(N, X) :- sent(N, X) [1].")
    assert sum(map(len, partition)) == COUNT
    assert max(partition.texts) > COUNT / 2
    assert partition.read == COUNT


@pytest.mark.parametrize("rules", PROGRAMS)
@settings(max_examples=8)
@given(ARRIVALS, st.sampled_from([1, 3]), st.lists(st.integers(1, END), max_size=2, unique=True).map(sorted))
def test_the_same_rows_in_partitions(
    rules: str, arriving: list[tuple[int, Fact]], buckets: int, cuts: list[int]
) -> None:
    analysis = analyse(parse_program(shown(rules)))
    expected = rows_of(analysis, arriving, START, END, reasoner="reference")
    for chunk in (2, 100):
        with patch.object(columnar, "CHUNK", chunk):
            assert rows_in_partitions(make_plan(analysis, ()), arriving, START, END, buckets, cuts) == expected
