"""Prices of a range, the time of day, and how often a letter occurs in a text."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import HOUR, PRICE, TIME, AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    dollars = PRICE * 0.908
    night = (HOUR <= 6) | (HOUR >= 20)
    part = pl.when(HOUR.is_between(8, 18)).then(pl.lit("dayTime")).when(night).then(pl.lit("nightTime"))
    found = asked.bid.filter(dollars > 1_000_000, dollars < 50_000_000)
    letters = pl.col("extra").str.count_matches("c", literal=True).alias("letters")
    called = part.otherwise(pl.lit("otherTime")).alias("part")
    return found.select("n", "auction", "bidder", dollars, called, "extra", letters, TIME)
