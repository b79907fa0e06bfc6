"""Plain LARS as answer set programs, solved by clingo."""

from larspark.reasoners.clingo.reasoner import ClingoReasoner

__all__ = ["ClingoReasoner"]
