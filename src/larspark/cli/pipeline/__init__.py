"""Runs of the pipeline on Spark, as the command line has them."""
