"""The pipelines of `larspark demo`."""
