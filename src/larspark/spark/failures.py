"""What Spark says when a run breaks down, as a diagnostic: the cause in one sentence instead of pages of traces."""

from __future__ import annotations

import re

from pyspark.errors import PySparkException

from larspark.diagnostics import Diagnostic, Rejected

_RAISED = re.compile(r"^(?:\w+\.)*(\w*(?:Error|Exception))(?:: (.*))?$", re.MULTILINE)
"""The last line of a Python traceback."""
_CLASS = re.compile(r"^(?:\[[\w.]+\]|(?:\w+\.)+\w+:)\s*")
"""What a message of Spark begins with: its class, or the Java exception."""
_HINTS = {
    "No space left": "Make room; a run that is repeated, or a stream that goes on, loses nothing.",
    "Permission denied": "Let the user who runs Spark write there.",
}


def rejected(error: PySparkException) -> Rejected:
    """The diagnostic for an error of Spark."""
    text = str(error).split("=== Streaming Query ===")[0]
    raised = _RAISED.findall(text)
    if raised:
        kind, told = raised[-1]
        cause = told or kind
    else:
        kind, cause = "", _first_line(text)
    cause = re.sub(r"\s*SQLSTATE: \w+", "", cause).strip().rstrip(".")
    if kind == "ConnectionError":
        return Rejected([Diagnostic("E608", f"{cause}.", "Start the sender first, or correct the address.")])
    hint = next((hint for sign, hint in _HINTS.items() if sign in text), "Remove the cause and run again.")
    return Rejected([Diagnostic("E609", f"The run broke down: {cause}.", hint)])


def _first_line(text: str) -> str:
    line = next((line for line in text.splitlines() if line.strip()), "no reason given")
    line = re.sub(r"^.*terminated with exception: ", "", line)
    while (shorter := _CLASS.sub("", line)) != line:
        line = shorter
    return line
