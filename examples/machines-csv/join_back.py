"""Alarms, joined back to the readings that they are about."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

import larspark

HERE = Path(__file__).parent


def main() -> None:
    readings = pd.read_csv(HERE / "readings.csv", parse_dates=["time"])
    readings["celsius"] = pd.to_numeric(readings["celsius"], errors="coerce")
    service = pd.read_csv(HERE / "service.csv", parse_dates=["time"])
    data = {"readings": readings.dropna(), "service": service}
    alarms = larspark.evaluate(HERE / "machines.lars", data)["alarm"].to_pandas()
    joined = alarms.merge(readings, on="machine")
    print(joined[joined["time"].between(joined["from"], joined["to"])].to_string(index=False))


if __name__ == "__main__":
    main()
