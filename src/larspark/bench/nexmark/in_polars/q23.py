"""The bids of persons who sell as well, with what they sell."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    sellers = asked.person.filter(asked.so_far).select("id", "name")
    sold = asked.auction.filter(asked.so_far).select(pl.col("id").alias("sold"), "item", "seller")
    bids = asked.bid.filter(asked.so_far).join(sellers, left_on="bidder", right_on="id")
    found = bids.join(sold, left_on="bidder", right_on="seller")
    return found.select("n", "bidder", "price", "name", "sold", "item")
