"""The stages of a plan without Spark: rows are routed in plain Python, and partitions run as they do there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pyarrow as pa

from larspark.language.facts import Fact
from larspark.spark.cells import decode_values, encode_values
from larspark.spark.partition import evaluate_partition
from larspark.spark.plan import Plan, PlannedStage, Span
from larspark.spark.rows import BEFORE_ALL, OTHER, Kind, bucket, row_columns
from larspark.spark.skew import obstacle, reach_of
from larspark.spark.union import combine_rows
from larspark.spark.work import Part, Work
from support.interval_rows import Row


def rows_in_partitions(
    plan: Plan,
    arrivals: Iterable[tuple[int, Fact]],
    start: int,
    end: int,
    buckets: int,
    cuts: Sequence[int] = (),
) -> set[Row]:
    """What the pipeline concludes with this number of partitions, all divided at the cuts in time where they can be."""
    arriving = _table(plan, [(int(Kind.ARRIVAL), time, None, None, fact) for time, fact in arrivals if time <= end])
    concluded: list[pa.Table] = []
    for planned in plan.stages:
        work = plan.work(planned, Span(start, start, end), buckets)
        reach = end - start
        if not obstacle(plan, planned):
            begins = [start, *cuts]
            spans = list(zip(begins, [*(cut - 1 for cut in cuts), end], strict=True))
            work = replace(work, divided=tuple(Part(n, *span) for n in range(work.buckets) for span in spans))
            reach = reach_of(plan, planned)
        given = pa.concat_tables([arriving, *concluded])
        parts = _parts(plan, planned, given, work, reach)
        concluded += [table for part in parts for table in evaluate_partition(work, part.to_batches())]
    everything = pa.concat_tables([arriving.slice(0, 0), *concluded])
    kinds = everything.column("kind").to_pylist()
    spans = list(zip(everything.column("time").to_pylist(), everything.column("until").to_pylist(), strict=True))
    void = [span for kind, span in zip(kinds, spans, strict=True) if kind == Kind.VOID]
    assert plan.may_be_void or not void
    kept = everything.filter(pa.array([kind != Kind.VOID for kind in kinds], pa.bool_()))
    return set(decoded(plan, combine_rows(kept, void, plan.vocabulary.width)))


def _parts(plan: Plan, planned: PlannedStage, given: pa.Table, work: Work, reach: int) -> list[pa.Table]:
    names = {number: signature for signature, number in plan.vocabulary.numbers.items()}
    parts: list[list[int]] = [[] for _ in work.parts]
    kinds, predicates = given.column("kind").to_pylist(), given.column("predicate").to_pylist()
    order = sorted(range(len(given)), key=lambda index: given.column("time")[index].as_py())
    for index in order:
        kind, number = kinds[index], predicates[index]
        if kind == Kind.VOID:
            continue
        if number == OTHER:
            if planned.program.counts_everything:
                parts[0].append(index)
            continue
        signature = names[number]
        wanted = planned.program.inputs if kind == Kind.ARRIVAL else planned.program.delivered
        if signature in wanted:
            position = planned.reads[signature]
            (args,) = decode_values(given.slice(index, 1), signature.arity)
            place = 0 if position is None else bucket(args[position], work.buckets)
            time, until = (given.column(name)[index].as_py() for name in ("time", "until"))
            last_seen = time + reach if kind == Kind.ARRIVAL else until
            for number, part in enumerate(work.parts):
                if part.bucket == place and part.begin <= last_seen and time <= part.end:
                    parts[number].append(index)
    return [
        pa.concat_tables([_seed(plan, number), _from(given.take(pa.array(rows, pa.int64())), part.begin)])
        for number, (rows, part) in enumerate(zip(parts, work.parts, strict=True))
    ]


def _from(rows: pa.Table, begin: int) -> pa.Table:
    """Conclusions from where the part begins, in the order of time."""
    arriving = pa.compute.equal(rows.column("kind"), int(Kind.ARRIVAL))
    times = pa.compute.if_else(arriving, rows.column("time"), pa.compute.max_element_wise(rows.column("time"), begin))
    return rows.set_column(rows.column_names.index("time"), "time", times).sort_by("time")


def _table(plan: Plan, rows: Sequence[tuple[int, int, int | None, int | None, Fact | None]]) -> pa.Table:
    numbers = plan.vocabulary.numbers
    known = [fact if fact and fact.signature in numbers else None for *_, fact in rows]
    columns = [
        pa.array([kind for kind, *_ in rows], pa.int32()),
        pa.array([numbers[fact.signature] if fact else OTHER for fact in known], pa.int32()),
        *(pa.array([row[place] for row in rows], pa.int64()) for place in (1, 2, 3)),
        *encode_values([fact.args if fact else () for fact in known], plan.vocabulary.width),
    ]
    return pa.table(columns, names=row_columns(plan.vocabulary.width))


def _seed(plan: Plan, number: int) -> pa.Table:
    row = _table(plan, [(int(Kind.SEED), BEFORE_ALL, None, None, None)])
    return row.set_column(1, "predicate", pa.array([number], pa.int32()))


def decoded(plan: Plan, table: pa.Table) -> Iterable[Row]:
    """Conclusions as they are compared."""
    for signature in plan.shown:
        number = plan.vocabulary.numbers[signature]
        part = table.filter(pa.compute.equal(table.column("predicate"), number))
        spans = zip(*(part.column(name).to_pylist() for name in ("time", "until", "at")), strict=True)
        for args, (first, last, at) in zip(decode_values(part, signature.arity), spans, strict=True):
            yield signature.predicate, args, first, last, at
