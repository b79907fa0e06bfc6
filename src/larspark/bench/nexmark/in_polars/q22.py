"""Every bid with the parts of its address."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import TIME, AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    parts = pl.col("url").str.split("/")
    directories = [parts.list.get(place).alias(f"directory{place}") for place in (3, 4, 5)]
    return asked.bid.select("n", "auction", "bidder", "price", "channel", *directories, TIME)
