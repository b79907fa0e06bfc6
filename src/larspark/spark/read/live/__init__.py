"""Live sources on Spark: a journal of what they have received, and its lines in micro-batches."""
