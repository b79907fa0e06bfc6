"""The pipeline on Apache Spark: reading, exchange, recovery and scale are Spark's, reasoning is ours."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from larspark.extras import require

if TYPE_CHECKING:
    from larspark.spark.interface import plan_of, reason
    from larspark.spark.session.session import spark_session
    from larspark.spark.sql.register import register

__all__ = ["plan_of", "reason", "register", "spark_session"]

_HOMES = {
    "plan_of": "larspark.spark.interface",
    "reason": "larspark.spark.interface",
    "register": "larspark.spark.sql.register",
    "spark_session": "larspark.spark.session.session",
}


def __getattr__(name: str) -> object:
    """The public names, imported on first use: workers of Spark import this file and need neither."""
    if name in _HOMES:
        require("pyspark")
        found: object = getattr(import_module(_HOMES[name]), name)
        return found
    raise AttributeError(f"module 'larspark.spark' has no attribute {name!r}")
