"""Where records come from: files and folders, live sources, and the formats of Spark."""

from __future__ import annotations

from larspark.spark.sources.files import read_source
from larspark.spark.sources.following import Following, follow_sources
from larspark.spark.sources.frames import intake_of_frame

__all__ = ["Following", "follow_sources", "intake_of_frame", "read_source"]
