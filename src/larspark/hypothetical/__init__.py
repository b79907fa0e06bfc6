"""What may still come: hypothetical answers, from Temporal Datalog to LARS."""

from larspark.hypothetical.foresight import Foresight, Outlook, Prospect
from larspark.hypothetical.online import Options

__all__ = ["Foresight", "Options", "Outlook", "Prospect"]
