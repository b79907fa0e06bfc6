"""The bids on auctions of category 10."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    auctions = asked.auction.filter(asked.so_far, pl.col("category") == 10)
    found = asked.bid.filter(asked.so_far).join(auctions, left_on="auction", right_on="id")
    return found.select("n", "auction", "bidder", "price", "item", "seller")
