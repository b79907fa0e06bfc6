"""Alarms as a materialised view of a declarative pipeline: the rules are a table function of SQL."""

from __future__ import annotations

from pathlib import Path

from pyspark import pipelines
from pyspark.sql import DataFrame, SparkSession

from larspark.spark import register

HERE = Path(__file__).resolve().parents[2]
spark = SparkSession.active()
register(spark, "alarms", HERE / "machines.lars", answer="alarm", times="timestamp_ntz")


def _table(name: str, columns: str) -> DataFrame:
    return spark.read.csv(f"{HERE}/{name}.csv", columns, header=True)


@pipelines.materialized_view
def readings() -> DataFrame:
    return _table("readings", "time TIMESTAMP_NTZ, machine STRING, celsius DOUBLE").where("celsius IS NOT NULL")


@pipelines.materialized_view
def service() -> DataFrame:
    return _table("service", "time TIMESTAMP_NTZ, machine STRING")


@pipelines.materialized_view
def alarm() -> DataFrame:
    """Several inputs are united in one table, whose column `predicate` says which one a row is about."""
    return spark.sql(
        """
        SELECT * FROM alarms(
            TABLE(
                SELECT time, 'readings' AS predicate, machine, celsius FROM readings
                UNION ALL SELECT time, 'service', machine, NULL FROM service
            ) PARTITION BY machine ORDER BY time,
            until => TIMESTAMP_NTZ'2026-03-10 08:30:00'
        )
        """
    )
