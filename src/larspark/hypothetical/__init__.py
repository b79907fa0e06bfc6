"""What may still come: hypothetical answers, from Temporal Datalog to LARS."""

from larspark.hypothetical.answers.prospect import Prospect
from larspark.hypothetical.foresight import GoalWatch, Outlook
from larspark.hypothetical.online.query import WatchOptions

__all__ = ["GoalWatch", "Outlook", "Prospect", "WatchOptions"]
