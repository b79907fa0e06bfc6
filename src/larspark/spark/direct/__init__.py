"""Bounded runs over plain Parquet files: workers read and write the files themselves, and Spark carries parcels.

A row that Spark never sees costs Spark nothing. What is true of every route holds here: the same rows, recovery by
repeated tasks, results whole or not at all. What is unusual about an input is left to the route through DataFrames.
"""
