"""Which format a file has by its name."""

from __future__ import annotations

JSON_LINES, CSV, PARQUET = (".jsonl", ".ndjson", ".json"), (".csv",), (".parquet", ".pq")
RDF = (".nt", ".ttl", ".nq", ".trig")
ENDINGS = (*JSON_LINES, *CSV, *PARQUET, *RDF)
