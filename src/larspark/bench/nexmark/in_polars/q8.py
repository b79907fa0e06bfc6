"""Who registered and opened an auction within the same ten seconds."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    new, opened = asked.person.filter(asked.in_window), asked.auction.filter(asked.in_window)
    return new.join(opened, left_on="id", right_on="seller", how="semi").select("id", "name")
