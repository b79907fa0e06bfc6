"""The queries in the expressions of polars, each in a file with a function `answer`."""
