"""The passes, one per file; `larspark.analysis.pipeline` has their order."""
