"""The interval reasoner: for every fact the set of evaluation times at which it is in the answer stream."""

from larspark.reasoners.interval.reasoner import IntervalReasoner

__all__ = ["IntervalReasoner"]
