"""Every bid as it is."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import TIME, AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    return asked.bid.select("n", "auction", "bidder", "price", "extra", TIME)
