"""larspark: rules over streams, exact to the logic LARS, on a laptop or on a Spark cluster."""
