"""What Spark says when a run breaks down, as a diagnostic: the cause in one sentence instead of pages of traces."""

from __future__ import annotations

import re
import sys

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from larspark.diagnostics import Diagnostic, Rejected

SparkError = (PySparkException, Py4JError)
"""What pyspark raises: its own, and what it does not know of Java's."""

_RAISED = re.compile(r"^(?:\w+\.)*(\w*(?:Error|Exception))(?:: (.*))?$", re.MULTILINE)
"""The last line of a Python traceback."""
_CLASS = re.compile(r"^(?:\[[\w.]+\]|(?:\w+\.)+\w+:)\s*")
"""What a message of Spark begins with: its class, or the Java exception."""
_REFUSED = re.compile(r"(E4\d\d): (.*?) Record: (.*)", re.DOTALL)
"""What reading that accepts no bad record raises."""
_DIAGNOSED = re.compile(r"^(?:\w+\.)*Rejected: (?:.*: )?error (E\d+): (.*?\.)(?: (.*))?$", re.MULTILINE)
"""The last line of a traceback where a reasoner has refused something: what, and what to do."""
OTHER_PYTHON = (
    "The workers run another Python than this one, without larspark: set PYSPARK_PYTHON to "
    f"{sys.executable} before the session starts, or let `larspark.spark.spark_session()` make it."
)
_HINTS = {
    "No space left": "Make room; a run that is repeated, or a stream that goes on, loses nothing.",
    "Permission denied": "Let the user who runs Spark write there.",
    "No module named 'larspark'": OTHER_PYTHON,
    "PYTHON_VERSION_MISMATCH": OTHER_PYTHON,
}
_TAKEN = re.compile(r"PortTaken: port (\d+) cannot be opened: (?:\[Errno \d+\] )?(.*)")


def rejected(error: Exception) -> Rejected:
    """The diagnostic for an error of Spark."""
    text, cause = str(error), cause_of(error)
    if refused := _REFUSED.search(cause):
        code, message, record = refused.groups()
        hint = "Correct it, or let `--on-error skip` set bad records aside."
        return Rejected([Diagnostic(code, f"{message.rstrip('.')}, in the record {record[:200]}.", hint)])
    if diagnosed := _DIAGNOSED.search(text):
        return Rejected([Diagnostic(diagnosed[1], diagnosed[2], diagnosed[3] or "")])
    if taken := _TAKEN.search(text):
        hint = "Choose another port, or end the program that listens there."
        return Rejected([Diagnostic("E702", f"Port {taken[1]} cannot be opened: {taken[2].lower()}.", hint)])
    if "ConnectionError: " in text:
        return Rejected([Diagnostic("E608", f"{cause}.", "Start the sender first, or correct the address.")])
    hint = next((hint for sign, hint in _HINTS.items() if sign in text), "Remove the cause and run again.")
    return Rejected([Diagnostic("E609", f"The run broke down: {cause}.", hint)])


def explained(error: Exception) -> Exception:
    """An error of Spark as a diagnostic where something is known about it; else as it is."""
    known = _DIAGNOSED.search(str(error)) or any(sign in str(error) for sign in _HINTS)
    return rejected(error) if known else error


def cause_of(error: Exception) -> str:
    """What went wrong, in the words of whoever noticed it first."""
    text = str(error).split("=== Streaming Query ===")[0]
    raised = _RAISED.findall(text)
    cause = (raised[-1][1] or raised[-1][0]) if raised else _first_line(text)
    return re.sub(r"\s*SQLSTATE: \w+", "", cause).strip().rstrip(".")


def _first_line(text: str) -> str:
    text = re.sub(r"^An error occurred while calling \S+\s*:?", "", text)
    line = next((line.strip() for line in text.splitlines() if line.strip()), "no reason given")
    line = re.sub(r"^.*terminated with exception: ", "", line)
    while (shorter := _CLASS.sub("", line)) != line:
        line = shorter
    return line
