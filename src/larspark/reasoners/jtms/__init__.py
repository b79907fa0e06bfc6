"""Truth maintenance over an incremental encoding of plain LARS."""

from larspark.reasoners.jtms.reasoner import JtmsReasoner

__all__ = ["JtmsReasoner"]
