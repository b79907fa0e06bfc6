"""The winning bid of every auction: the highest price, of several the first."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import PRICE, AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    highest = asked.bids_in_time.filter(PRICE.max().over("id") == PRICE)
    first = highest.sort("time_bid", "n_bid").unique("id", keep="first")
    return first.select("id", "item", "seller", "category", "n_bid", "bidder", "price")
