"""Every bid with what a side table knows of its auction."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import TIME, AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    known = asked.bid.with_columns(key=pl.col("auction") % 10_000).join(asked.side, on="key")
    return known.select("n", "auction", "bidder", "price", "value", TIME)
