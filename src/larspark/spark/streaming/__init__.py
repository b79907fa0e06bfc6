"""Streams on Structured Streaming: packed rows, one stateful operator per stage, tables that are always whole."""

from larspark.spark.streaming.checkpoint import Checkpoint, Progress
from larspark.spark.streaming.delivery import Style
from larspark.spark.streaming.stream import CHECKPOINT, Stream

__all__ = ["CHECKPOINT", "Checkpoint", "Progress", "Stream", "Style"]
