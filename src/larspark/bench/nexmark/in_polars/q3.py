"""Who sells in category 10 in three states, and where."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    sellers = asked.person.filter(asked.so_far, pl.col("state").is_in(["OR", "ID", "CA"]))
    sold = asked.auction.filter(asked.so_far, pl.col("category") == 10)
    return sold.join(sellers, left_on="seller", right_on="id").select("name", "city", "state", "id")
