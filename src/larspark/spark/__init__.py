"""The pipeline on Apache Spark: reading, exchange, recovery and scale are Spark's, reasoning is ours."""
