"""The generated events: what the reference promises of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.csv
import pyarrow.parquet as pq

from larspark.bench.nexmark.generator import FIRST_ID, GeneratedEvents, tables, write


def test_one_person_three_auctions_and_forty_six_bids() -> None:
    counts = {name: len(table) for name, table in tables(GeneratedEvents(50_000)).items()}
    assert counts == {"person": 1_000, "auction": 3_000, "bid": 46_000}


def test_a_longer_stream_begins_like_a_shorter_one() -> None:
    short, long = tables(GeneratedEvents(1_000)), tables(GeneratedEvents(3_000))
    assert all(long[name].slice(0, len(table)).equals(table) for name, table in short.items())
    assert not tables(GeneratedEvents(1_000, seed=2))["bid"].equals(short["bid"])


def test_hot_auctions_bidders_and_sellers_are_chosen_often() -> None:
    made = tables(GeneratedEvents(50_000))
    on_hot = made["bid"]["auction"].to_numpy() % 100 == 0
    by_hot = made["bid"]["bidder"].to_numpy() % 100 == 1
    of_hot = made["auction"]["seller"].to_numpy() % 100 == 0
    assert 0.48 < np.mean(on_hot) < 0.54
    assert 0.73 < np.mean(by_hot) < 0.79
    assert 0.71 < np.mean(of_hot) < 0.80


def test_bidders_are_persons_or_the_next_ones() -> None:
    made = tables(GeneratedEvents(50_000))
    newest = FIRST_ID + made["bid"]["n"].to_numpy() // 50
    assert (made["bid"]["bidder"].to_numpy() <= newest + 10).all()
    assert (made["bid"]["bidder"].to_numpy() >= FIRST_ID).all()


def test_auctions_expire_after_they_begin() -> None:
    auctions = tables(GeneratedEvents(5_000, rate=100))["auction"]
    lengths = auctions["expires"].to_numpy() - auctions["time"].to_numpy().astype(np.int64)
    assert lengths.min() >= 1
    assert lengths.max() <= 1 + 2 * 16_670


def test_files_hold_the_same_events(tmp_path: Path) -> None:
    stream = GeneratedEvents(150_000)
    write(stream, tmp_path, as_text=True)
    made = tables(stream)
    for name, table in made.items():
        assert pq.read_table(tmp_path / f"{name}.parquet").equals(table)
        options = pyarrow.csv.ReadOptions(column_names=table.schema.names)
        read = pyarrow.csv.read_csv(tmp_path / f"{name}.csv", options)
        assert read["n"].equals(table["n"])
        assert read["extra"].to_pylist()[:9] == table["extra"].to_pylist()[:9]
