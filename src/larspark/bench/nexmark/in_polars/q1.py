"""Every bid with its price in another currency."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import PRICE, TIME, AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    return asked.bid.select("n", "auction", "bidder", PRICE * 0.908, "extra", TIME)
