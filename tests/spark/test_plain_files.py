"""The same rows from plain files, on random programs; without Spark, so that many can be tried."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from larspark.analysis.pipeline import analyse
from larspark.language.facts import Fact
from larspark.language.parser import parse_program
from larspark.language.values import Value
from larspark.read.values.values import from_object
from larspark.reasoners.interval.answers import validity
from larspark.spark.evaluate import columnar, messages, uniting
from larspark.spark.plan.plan import EvaluationSpan, make_plan
from support.bounded_runs import plain_tables, rows_from_files, write_arrivals
from support.interval_rows import rows_of
from support.keyed_programs import BACKGROUND, VALUES, random_arrivals, random_rules
from support.tables import spelled
from support.tiers import partly

ALL = sorted({*VALUES, *BACKGROUND}, key=str)
AS: dict[str, Callable[[Value], object]] = {
    "numbers": ALL.index,
    "texts": str,
    "decimals": lambda value: Decimal(ALL.index(value)) / 2,
    "floats": lambda value: ALL.index(value) / 4,
}


@partly(120)
@given(
    st.integers(0, 2**48),
    st.sampled_from([1, 2, 7]),
    st.sampled_from([2, 5, 1 << 15]),
    st.lists(st.integers(1, 15), max_size=3, unique=True).map(sorted),
    st.sampled_from([*AS]),
    st.booleans(),
)
def test_programs_that_are_split(
    seed: int, buckets: int, chunk: int, cuts: list[int], kind: str, in_order: bool
) -> None:
    random = Random(seed)
    text = "\n".join(random_rules(random))
    as_kind = AS[kind]
    background = tuple(Fact("bg", (from_object(as_kind(value)),)) for value in random.sample(BACKGROUND, 3))
    analysis = analyse(parse_program(text), background={fact.signature for fact in background}).require()
    arrivals = [(time, Fact(fact.predicate, tuple(map(as_kind, fact.args)))) for time, fact in random_arrivals(random)]
    plan = make_plan(analysis, background)
    if not in_order:
        random.shuffle(arrivals)
    with TemporaryDirectory() as name, patch.object(columnar, "CHUNK", chunk), patch.object(validity, "FEW", chunk):
        folder = Path(name)
        write_arrivals(folder / "in", arrivals, group=chunk, files=random.randint(1, 3))
        with patch.object(messages, "ROWS", chunk), patch.object(uniting, "ROWS", chunk):
            found = rows_from_files(
                plan, plain_tables(folder / "in", plan), folder, EvaluationSpan(0, 0, 15), buckets, cuts
            )
    arrivals.sort(key=lambda arrival: arrival[1].predicate)  # one file after the other
    arrivals.sort(key=lambda arrival: arrival[0])
    told = [(time, Fact(fact.predicate, tuple(map(from_object, fact.args)))) for time, fact in arrivals]
    assert spelled(found) == spelled(rows_of(analysis, told, 0, 15, background)), text
