"""Every bid with the parts of its address."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.in_polars.parts import TIME, Asked


def answer(asked: Asked) -> pl.LazyFrame:
    parts = pl.col("url").str.split("/")
    directories = [parts.list.get(place).alias(f"directory{place}") for place in (3, 4, 5)]
    return asked.bid.select("n", "auction", "bidder", "price", "channel", *directories, TIME)
