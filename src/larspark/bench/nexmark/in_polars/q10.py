"""Every bid with the day, hour and minute by which files are partitioned."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import DAY, HOUR, MINUTE, TIME, AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    parts = (DAY, HOUR.alias("hour"), MINUTE.alias("minute"))
    return asked.bid.select("n", "auction", "bidder", "price", "extra", *parts, TIME)
