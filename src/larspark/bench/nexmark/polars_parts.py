"""What the queries have in common: the tables they ask, when they are asked, and parts of times and prices."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

WINDOW = 10_000
"""Milliseconds of a window."""
MILLISECONDS = pl.Datetime("ms")
TIME = pl.col("time").cast(pl.Int64)
DAY = pl.col("time").dt.strftime("%Y-%m-%d").alias("day")
HOUR, MINUTE = pl.col("time").dt.hour(), pl.col("time").dt.minute()
PRICE = pl.col("price")
CHEAP, FAIR, DEAR = PRICE < 10_000, (PRICE >= 10_000) & (PRICE < 1_000_000), PRICE >= 1_000_000
BANDS = {"cheap": CHEAP, "fair": FAIR, "dear": DEAR}


@dataclass(frozen=True)
class AskedEvents:
    """The events as files that are read when an answer is collected, and the millisecond that is asked about."""

    person: pl.LazyFrame
    auction: pl.LazyFrame
    bid: pl.LazyFrame
    side: pl.LazyFrame
    now: int = 0

    @property
    def so_far(self) -> pl.Expr:
        """Whether an event has come."""
        return pl.col("time") <= moment(self.now)

    @property
    def in_window(self) -> pl.Expr:
        """Whether an event is in the window that ends now."""
        return pl.col("time").is_between(moment(self.now - WINDOW), moment(self.now), closed="left")

    @property
    def bids_in_time(self) -> pl.LazyFrame:
        """The auctions, each with the bids on it before it expires; of a bid `time` is `time_bid`."""
        joined = self.auction.join(self.bid.filter(self.so_far), left_on="id", right_on="auction", suffix="_bid")
        return joined.filter(pl.col("time_bid").is_between("time", pl.col("expires").cast(MILLISECONDS)))


def asked_of(folder: Path, side: int, now: int = 0) -> AskedEvents:
    """The files of a folder, and a side table with so many rows."""
    person, auction, bid = (pl.scan_parquet(folder / f"{name}.parquet") for name in ("person", "auction", "bid"))
    keys = pl.LazyFrame({"key": range(side), "value": range(side)})
    return AskedEvents(person, auction, bid, keys, now)


def moment(milliseconds: int) -> pl.Expr:
    """A time that can be compared with the column as it is in the file, so that parts of a file can be left out."""
    return pl.lit(milliseconds).cast(MILLISECONDS)


def counted_by_price() -> list[pl.Expr]:
    """How many bids, and how many in each band of prices."""
    return [pl.len().alias("bids"), *(band.sum().alias(f"bids_{name}") for name, band in BANDS.items())]


def different_by_price(column: str) -> list[pl.Expr]:
    """How many different values, and how many in each band of prices."""
    value = pl.col(column)
    whole = value.n_unique().alias(f"{column}s")
    return [whole, *(value.filter(band).n_unique().alias(f"{column}s_{name}") for name, band in BANDS.items())]
