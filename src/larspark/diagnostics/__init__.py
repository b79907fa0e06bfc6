"""Everything larspark says about an input it cannot take: one value, several renderings."""

from larspark.diagnostics.diagnostic import Diagnostic, Rejected, Severity, refuse_warnings
from larspark.diagnostics.origin import Origin

__all__ = ["Diagnostic", "Origin", "Rejected", "Severity", "refuse_warnings"]
