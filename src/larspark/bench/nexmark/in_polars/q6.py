"""The average of the winning prices of the last ten auctions of a seller that have ended."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import PRICE, AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    ended = asked.bids_in_time.filter(pl.col("expires") < asked.now)
    won = ended.group_by("id", "seller", "expires").agg(PRICE.max())
    latest = PRICE.sort_by("expires", "id", descending=True).head(10)
    return won.group_by("seller").agg(latest.mean())
