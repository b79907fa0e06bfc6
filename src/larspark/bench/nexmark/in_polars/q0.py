"""Every bid as it is."""

from __future__ import annotations

import polars as pl

from larspark.bench.nexmark.in_polars.parts import TIME, Asked


def answer(asked: Asked) -> pl.LazyFrame:
    return asked.bid.select("n", "auction", "bidder", "price", "extra", TIME)
