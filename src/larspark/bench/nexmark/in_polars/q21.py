"""Every bid with the number of its channel, which is known or stands in the address."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import TIME, AskedEvents

NUMBERS = {"apple": "0", "google": "1", "facebook": "2", "baidu": "3"}
"""Of the channels that are known."""


def answer(asked: AskedEvents) -> pl.LazyFrame:
    known = pl.col("channel").str.to_lowercase().replace_strict(NUMBERS, default=None)
    number = pl.coalesce(known, pl.col("url").str.extract("&channel_id=(.*)")).alias("number")
    numbered = asked.bid.with_columns(number).filter(pl.col("number").is_not_null())
    return numbered.select("n", "auction", "bidder", "price", "channel", "number", TIME)
