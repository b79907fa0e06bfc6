"""Tick streams: thesis sec. 6.3.1."""

from __future__ import annotations

from typing import Any

import pytest

from definitions.tick_streams import Tick, TickStream, canonical, is_tick_pattern, orderings
from support.notation import fact
from support.vectors import Case, cases, stream


def tick_stream(data: Any) -> TickStream:
    ticks = tuple(Tick(*tick) for tick in data["ticks"])
    return TickStream(ticks, tuple((Tick(time, count), fact(atom)) for time, count, atom in data["signals"]))


@pytest.mark.parametrize("case", cases("tick_pattern"), ids=str)
def test_tick_pattern(case: Case) -> None:
    assert is_tick_pattern([Tick(*tick) for tick in case["ticks"]]) is case["expect"]


@pytest.mark.parametrize("case", cases("tick_underlying"), ids=str)
def test_underlying_stream(case: Case) -> None:
    assert tick_stream(case).underlying() == stream(case["expect"])


@pytest.mark.parametrize("case", cases("tick_orderings"), ids=str)
def test_orderings(case: Case) -> None:
    found = [[[tick.time, tick.count, str(atom)] for tick, atom in one.signals] for one in orderings(case.stream)]
    assert found == case["expect"]


@pytest.mark.parametrize("case", cases("tick_canonical"), ids=str)
def test_canonical_ticks(case: Case) -> None:
    ticks = canonical(case.stream).ticks
    assert [[tick.time, tick.count] for tick in ticks] == case["expect"]
    assert is_tick_pattern(ticks)


@pytest.mark.parametrize("case", cases("tick_window"), ids=str)
def test_tick_window(case: Case) -> None:
    source, at, size = tick_stream(case), Tick(*case["at"]), case["window"]["past"]
    select = source.time_window if case["window"]["kind"] == "time" else source.tuple_window
    assert select(at, size) == tick_stream(case["expect"])
