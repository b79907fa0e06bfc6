"""What may still come: hypothetical answers, from Temporal Datalog to LARS."""

from larspark.hypothetical.answers.prospect import Prospect
from larspark.hypothetical.foresight import Foresight, Outlook
from larspark.hypothetical.online.query import Options

__all__ = ["Foresight", "Options", "Outlook", "Prospect"]
