"""The same on Spark: alarms, joined back to the readings that they are about."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from larspark.spark import reason, spark_session

HERE = Path(__file__).parent


def joined(spark: SparkSession) -> DataFrame:
    readings = spark.read.csv(
        str(HERE / "readings.csv"), "time TIMESTAMP_NTZ, machine STRING, celsius DOUBLE", header=True
    )
    service = spark.read.csv(str(HERE / "service.csv"), "time TIMESTAMP_NTZ, machine STRING", header=True)
    data = {"readings": readings, "service": service}
    alarms = reason(HERE / "machines.lars", data, on_error="skip")["alarm"]
    during = readings["time"].between(alarms["from"], alarms["to"])
    return alarms.join(readings, (alarms["machine"] == readings["machine"]) & during).drop(readings["machine"])


if __name__ == "__main__":
    joined(spark_session()).orderBy("time").show(truncate=False)
