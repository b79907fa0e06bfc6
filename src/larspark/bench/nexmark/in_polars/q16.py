"""Of every channel and day: the last minute, and bids, bidders and auctions, all and in three ranges of prices."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import DAY, HOUR, MINUTE, AskedEvents, counted_by_price, different_by_price


def answer(asked: AskedEvents) -> pl.LazyFrame:
    bids = asked.bid.filter(asked.so_far)
    minute = (60 * HOUR.cast(pl.Int32) + MINUTE).max().alias("minute")
    return bids.group_by("channel", DAY).agg(
        minute, *counted_by_price(), *different_by_price("bidder"), *different_by_price("auction")
    )
