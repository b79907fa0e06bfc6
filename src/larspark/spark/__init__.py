"""The pipeline on Apache Spark: reading, exchange, recovery and scale are Spark's, reasoning is ours."""

from larspark.spark.reason import reason
from larspark.spark.session import spark_session

__all__ = ["reason", "spark_session"]
