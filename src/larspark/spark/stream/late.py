"""Atoms that come too late, as dead letters."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pyarrow as pa

from larspark.spark.evaluate.messages import OTHERS
from larspark.spark.stream.results.open_intervals import Told
from larspark.spark.write.dead_letters import SCHEMA

LATE = "E412"


def late_letters(late: Iterable[Told], watermark: int) -> pa.Table:
    """Atoms for time points that are final."""
    rows: list[tuple[str, str, str]] = []
    told = f"{LATE}: The atom arrives late; everything up to {watermark} is final."
    for source, block in late:
        for time, fact in zip(block.times.tolist(), block.facts(), strict=True):
            record = {"time": time} if block.signature == OTHERS else {"time": time, "atom": str(fact)}
            rows.append((told, json.dumps(record, ensure_ascii=False), source.partition("\t")[0]))
    columns = list(zip(*rows, strict=True)) or [()] * 3
    return pa.table([pa.array(column, pa.string()) for column in columns], schema=SCHEMA)
