"""Of every day: bids, bidders and auctions, all and in three ranges of prices."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import DAY, AskedEvents, counted_by_price, different_by_price


def answer(asked: AskedEvents) -> pl.LazyFrame:
    bids = asked.bid.filter(asked.so_far)
    return bids.group_by(DAY).agg(*counted_by_price(), *different_by_price("bidder"), *different_by_price("auction"))
