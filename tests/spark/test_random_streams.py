"""Random programs in random micro-batches on a real Spark: the rows of the interval reasoner alone.

Programs that do not disturb each other share a query, so that many are tried; `LARSPARK_EXHAUSTIVE` tries hundreds.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import SparkSession

from larspark.analysis.pipeline import analyse
from larspark.language.printing.printer import show
from larspark.language.tree import Program
from larspark.spark.stream.stream import TableStream
from support.interval_rows import Row, rows_of
from support.random_pieces import END, random_piece
from support.side_by_side import Piece, of_piece, side_by_side
from support.spark_streams import STRANGE, cut, delayed, streamed
from support.streams import as_text

BUCKETS = (1, 2, 3) if os.environ.get("LARSPARK_EXHAUSTIVE") else (1, 3)
ROUNDS = 12 if os.environ.get("LARSPARK_EXHAUSTIVE") else 1
TOGETHER, ALONE = 8, 1
"""Programs in one query, and queries with one program, for each number of buckets in each round."""

SEEDS = [
    pytest.param(seed, buckets, id=f"{seed}-{buckets}", marks=[pytest.mark.thorough] if buckets == 1 else [])
    for seed in range(ROUNDS)
    for buckets in BUCKETS
]


def expected(piece: Piece, first: int, last: int) -> set[Row]:
    analysis = analyse(piece.program, background={one.signature for one in piece.background})
    return as_text(rows_of(analysis, piece.arrivals, first, last, piece.background))


def rows(spark: SparkSession, folder: Path, piece: Piece, random: Random, buckets: int) -> set[Row]:
    """Of the piece in micro-batches, some atoms being late."""
    lateness = random.choice([0, 3])
    stream = TableStream(piece.plan, folder / "out", lateness, buckets)
    return streamed(spark, folder, stream, cut(delayed(piece.arrivals, random, lateness), random, 4))


@pytest.mark.thorough
@pytest.mark.parametrize(("seed", "buckets"), SEEDS)
def test_programs_side_by_side(spark: SparkSession, tmp_path: Path, seed: int, buckets: int) -> None:
    random = Random(10 * seed + buckets)
    pieces = [random_piece(random, alone=False) for _ in range(TOGETHER)]
    borders = Piece(Program(), ((0, STRANGE), (END, STRANGE)))
    found = rows(spark, tmp_path, side_by_side([*pieces, borders]), random, buckets)
    for number, piece in enumerate(pieces):
        assert of_piece(found, number) == expected(piece, 0, END), show(piece.program)


@pytest.mark.parametrize(("seed", "buckets"), SEEDS)
def test_programs_alone(spark: SparkSession, tmp_path: Path, seed: int, buckets: int) -> None:
    """Those that count all arrivals, or that are without an answer stream at times."""
    random = Random(10 * seed + buckets)
    for number in range(ALONE):
        piece = random_piece(random, alone=True)
        wanted = expected(piece, piece.arrivals[0][0], piece.arrivals[-1][0])
        assert rows(spark, tmp_path / str(number), piece, random, buckets) == wanted, show(piece.program)
