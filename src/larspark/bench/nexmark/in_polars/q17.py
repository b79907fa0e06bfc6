"""Of every auction and day: the number of bids, all and in three ranges of prices, and the prices."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import DAY, PRICE, AskedEvents, counted_by_price


def answer(asked: AskedEvents) -> pl.LazyFrame:
    bids = asked.bid.filter(asked.so_far)
    prices = [PRICE.min().alias("least"), PRICE.max().alias("most"), PRICE.mean().alias("mean"), PRICE.sum()]
    return bids.group_by("auction", DAY).agg(*counted_by_price(), *prices)
