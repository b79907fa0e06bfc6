"""What may still come: hypothetical answers, from Temporal Datalog to LARS."""

from larspark.hypothetical.foresight import Foresight, Outlook
from larspark.hypothetical.online import Options
from larspark.hypothetical.prospect import Prospect

__all__ = ["Foresight", "Options", "Outlook", "Prospect"]
