"""Times leave in the form in which they came."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pyarrow as pa
import pytest

import larspark
from larspark.language.calendar import Calendar, TimeForm
from larspark.write.times import TimeWriter

PROGRAM = """#clock 1 min. #input readings(machine: text, celsius: number).
hot(M,C) :- readings(M,C) [2 min], C > 80. since(M,T) :- @T readings(M,C) [1 min], C > 80.
#show hot/2, since(machine, first)."""
NAIVE = pd.DataFrame(
    {
        "time": pd.to_datetime(["2026-03-10 08:00:00", "2026-03-10 08:01:30"]),
        "machine": ["m1", "m1"],
        "celsius": [91.0, 70.0],
    }
)


def test_timestamps_without_zone_stay_without() -> None:
    found = larspark.evaluate(PROGRAM, {"readings": NAIVE})["hot"].to_pandas()
    assert list(found.columns) == ["machine", "celsius", "from", "to", "at"]
    assert found["celsius"].dtype == "float64"
    # A join by BETWEEN finds every reading of an interval, and no other.
    joined = found.merge(NAIVE, on="machine", suffixes=("", "_read"))
    inside = joined[(joined["time"] >= joined["from"]) & (joined["time"] <= joined["to"])]
    assert len(inside) == 2


def test_moments_stay_moments() -> None:
    zoned = NAIVE.assign(time=NAIVE["time"].dt.tz_localize("Europe/Vienna"))
    table = larspark.evaluate(PROGRAM, {"readings": zoned})["since"].to_arrow()
    assert table.schema.field("first").type == table.schema.field("from").type == pa.timestamp("us", "UTC")
    assert table["first"][0].as_py() == datetime(2026, 3, 10, 7, tzinfo=UTC)


def test_points_on_request_and_where_points_came() -> None:
    assert larspark.evaluate(PROGRAM, {"readings": NAIVE}, points=True)["hot"].to_arrow()["from"].type == pa.int64()
    points = larspark.evaluate(PROGRAM, [(5, ("readings", "m1", 91.0))])
    assert points["hot"].to_pylist() == [{"machine": "m1", "celsius": 91.0, "from": 5, "to": 5, "at": None}]


def test_an_epoch_makes_moments_of_points() -> None:
    epoch = datetime(2026, 1, 1, tzinfo=UTC)
    (row,) = larspark.evaluate(PROGRAM, [(5, ("readings", "m1", 91.0))], epoch=epoch)["since"].to_pylist()
    assert row["first"] == row["from"] == datetime(2026, 1, 1, 0, 5, tzinfo=UTC)


def test_types_do_not_depend_on_the_values() -> None:
    nothing = larspark.evaluate(PROGRAM, {"readings": NAIVE[:0]})
    something = larspark.evaluate(PROGRAM, {"readings": NAIVE})
    for name in ("hot", "since"):
        assert nothing[name].to_arrow().schema == something[name].to_arrow().schema


@pytest.mark.parametrize(("zone", "hour"), [("UTC", 8), ("Europe/Vienna", 8), ("+05:00", 8)])
def test_one_rule_for_times_without_zone(zone: str, hour: int) -> None:
    program = f'#timezone "{zone}". #clock 1 min. h(H) :- @T readings(M,C) [0], H = hour(T).'
    found = larspark.evaluate(program, {"readings": NAIVE})["h"].to_pylist()
    assert {row["arg1"] for row in found} == {hour}
    assert found[0]["from"] == datetime(2026, 3, 10, 8)


@pytest.mark.parametrize("zone", ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"])
def test_clocks_are_changed_in_every_year(zone: str) -> None:
    """Also after 2037, and around the hours in which they are."""
    calendar = Calendar(timezone=UTC if zone == "UTC" else ZoneInfo(zone))
    random = Random(14)
    days = [random.randrange(-25_000, 90_000) for _ in range(300)]
    points = np.array(sorted(86_400 * day + 900 * random.randrange(96) + random.randrange(3) for day in days))
    moments = [datetime.fromtimestamp(0, UTC) + timedelta(seconds=point) for point in points.tolist()]
    shown = [moment.astimezone(calendar.zone) for moment in moments]
    local, zoned = TimeWriter(calendar, TimeForm.LOCAL), TimeWriter(calendar, TimeForm.ZONED)
    assert local.column(points).to_pylist() == [one.replace(tzinfo=None) for one in shown]
    assert local.texts(points).to_pylist() == [one.replace(tzinfo=None).isoformat() for one in shown]
    assert zoned.column(points).to_pylist() == moments
    assert [text.replace("Z", "+00:00") for text in zoned.texts(points).to_pylist()] == [
        one.isoformat() for one in shown
    ]
