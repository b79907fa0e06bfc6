"""The bids with the highest price of ten seconds."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import PRICE, AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    inside = asked.bid.filter(asked.in_window)
    return inside.filter(PRICE.max() == PRICE).select("n", "auction", "price", "bidder", "extra")
