"""The ten highest bids on every auction with their ranks, of equal prices the earlier one first."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    bids = asked.bid.filter(asked.so_far).select("n", "auction", "bidder", "price")
    ordered = bids.sort("auction", "price", "n", descending=[False, True, False])
    place = pl.int_range(1, pl.len() + 1).over("auction").alias("place")
    return ordered.with_columns(place).filter(pl.col("place") <= 10)
