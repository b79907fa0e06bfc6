"""How often each bidder bids in a session, which ends after ten seconds without a bid."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import TIME, WINDOW, AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    bids = asked.bid.filter(asked.so_far).select("bidder", "n", TIME).sort("bidder", "time", "n")
    another = pl.col("bidder") != pl.col("bidder").shift(fill_value=0)
    begins = another | (pl.col("time").diff() > WINDOW)
    sessions = bids.group_by(begins.cum_sum().alias("session")).agg(
        pl.col("bidder").first(), pl.col("time").min(), pl.col("time").max().alias("last"), pl.len().alias("bids")
    )
    return sessions.filter(pl.col("last") >= asked.now - WINDOW).select("bidder", "time", "bids")
