"""The last bid of every bidder on every auction."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.polars_parts import AskedEvents


def answer(asked: AskedEvents) -> pl.LazyFrame:
    bids = asked.bid.filter(asked.so_far).sort("time", "n")
    last = bids.unique(["auction", "bidder"], keep="last")
    return last.select("n", "auction", "bidder", "price", "extra")
