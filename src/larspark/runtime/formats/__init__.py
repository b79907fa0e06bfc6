"""Reading recorded streams and background data: JSON lines, CSV, Parquet, and facts as text."""

from larspark.runtime.formats.arrivals import Arrival, OnError
from larspark.runtime.formats.background import read_background, read_backgrounds
from larspark.runtime.formats.streams import RecordedStream, StreamReader, read_stream

__all__ = [
    "Arrival",
    "OnError",
    "RecordedStream",
    "StreamReader",
    "read_background",
    "read_backgrounds",
    "read_stream",
]
