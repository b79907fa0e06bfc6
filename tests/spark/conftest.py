from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from larspark.spark.session.session import spark_session


@pytest.fixture(scope="session")
def spark() -> SparkSession:
    """One session for all tests of a worker; Spark keeps it for the process."""
    settings = {
        "spark.driver.memory": "1g",  # there are two workers
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.codegen.wholeStage": "false",  # compiling queries takes longer than these queries
    }
    return spark_session("local[2]", settings)
