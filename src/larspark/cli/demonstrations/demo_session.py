"""Spark for the demo: started before anything else is imported, since most of its start happens in another process."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

from pyspark.sql import SparkSession

from larspark.spark.session.session import spark_session

SMALL = {
    "spark.ui.enabled": "false",  # its own page would be gone before anybody looks at it
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
"""What pays only in longer runs costs half a second here: plans made anew on the way, and code compiled for them."""


def starting_session(master: str | None) -> Future[SparkSession]:
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(spark_session, master, SMALL)
    finally:
        pool.shutdown(wait=False)
