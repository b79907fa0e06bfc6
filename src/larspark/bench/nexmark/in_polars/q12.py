"""How often each bidder bids in ten seconds."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    return asked.bid.filter(asked.in_window).group_by("bidder").agg(pl.len().alias("bids"))
