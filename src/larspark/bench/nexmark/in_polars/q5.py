"""The auctions with the most bids in the last ten seconds, every two seconds."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    counted = asked.bid.filter(asked.in_window).group_by("auction").agg(pl.len().alias("bids"))
    return counted.filter(pl.col("bids") == pl.col("bids").max())
