"""The same conclusions by data frames: at every time point the window is taken and everything computed again."""

from __future__ import annotations

from functools import reduce

import polars as pl

from larspark.bench.workloads.task import Frames, Parameters

PAIR = ("c0", "c1")


def diamond(frames: Frames, _time: int, _parameters: Parameters) -> Frames:
    return {"q": frames["p"].select(PAIR).unique()}


def box(frames: Frames, time: int, parameters: Parameters) -> Frames:
    span = min(time, parameters.window) + 1
    times = frames["p"].group_by(PAIR).agg(pl.col("time").n_unique().alias("times"))
    return {"q": times.filter(pl.col("times") == span).select(PAIR)}


def join(frames: Frames, _time: int, _parameters: Parameters) -> Frames:
    return {"q": _joined(frames["p"].select(PAIR).unique())}


def several_joins(frames: Frames, _time: int, parameters: Parameters) -> Frames:
    pairs = frames["p"].select(PAIR).unique()
    return {f"q{number}": _joined(pairs) for number in range(1, parameters.size + 1)}


def _joined(pairs: pl.DataFrame) -> pl.DataFrame:
    second = pairs.rename({"c0": "c1", "c1": "c2"})
    return pairs.join(second, on="c1").select(c0="c0", c1="c2").unique()


def basic(frames: Frames, _time: int, _parameters: Parameters) -> Frames:
    return {"a": frames["g"].join(frames["sig"], on="c0", how="semi")}


def basic_box(frames: Frames, time: int, parameters: Parameters) -> Frames:
    span = min(time, parameters.window) + 1
    times = frames["sig"].group_by("c0").agg(pl.col("time").n_unique().alias("times"))
    return {"a": frames["g"].join(times.filter(pl.col("times") == span), on="c0", how="semi")}


def negation(frames: Frames, _time: int, _parameters: Parameters) -> Frames:
    machine = frames["machine"]
    silent = machine.join(frames["beat"], on="c0", how="anti")
    excused = machine.join(frames["service"], on="c0", how="semi")
    broken = silent.join(excused, on="c0", how="anti")
    fine = reduce(lambda left, right: left.join(right, on="c0", how="anti"), (machine, silent, excused))
    odd = reduce(lambda left, right: left.join(right, on="c0", how="anti"), (machine, broken, fine))
    return {"silent": silent, "excused": excused, "broken": broken, "fine": fine, "odd": odd}


def aggregate(frames: Frames, _time: int, _parameters: Parameters) -> Frames:
    vehicle = pl.col("c0")
    groups = frames["seen"].select(PAIR).unique().group_by("c1")
    found = groups.agg(vehicle.count().alias("load"), vehicle.sum().alias("weight"), vehicle.max().alias("latest"))
    stops = frames["stop"].join(found, left_on="c0", right_on="c1", how="left")
    return {
        "load": stops.select("c0", pl.col("load").fill_null(0)),
        "weight": stops.select("c0", pl.col("weight").fill_null(0)),
        "latest": stops.select("c0", "latest").drop_nulls(),
    }


def closure(frames: Frames, _time: int, _parameters: Parameters) -> Frames:
    return {"path": _closed(frames["edge"].select(PAIR).unique())}


def reach(frames: Frames, _time: int, _parameters: Parameters) -> Frames:
    alive = frames["edge"].join(frames["sig"], on=PAIR, how="semi")
    return {"reach": _closed(alive)}


def _closed(edges: pl.DataFrame) -> pl.DataFrame:
    """Semi-naive transitive closure."""
    step = edges.rename({"c0": "c1", "c1": "c2"})
    known = new = edges
    while len(new):
        longer = new.join(step, on="c1").select(c0="c0", c1="c2").unique()
        new = longer.join(known, on=PAIR, how="anti")
        known = pl.concat([known, new])
    return known
