"""The average of the winning prices of the auctions of a category."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import PRICE, AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    won = asked.bids_in_time.group_by("id", "category").agg(PRICE.max())
    return won.group_by("category").agg(PRICE.mean())
