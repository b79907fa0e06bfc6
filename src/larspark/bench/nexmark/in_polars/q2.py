"""The bids on some auctions."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import TIME, AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    return asked.bid.filter(pl.col("auction") % 123 == 0).select("n", "auction", "price", TIME)
