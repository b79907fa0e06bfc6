"""One finding about an input, and the exception that carries findings to the caller."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from larspark.diagnostics.origin import Origin


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What is wrong (one sentence), what to do about it (one sentence), and where."""

    code: str
    message: str
    hint: str = ""
    origin: Origin | None = None
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        """One line: the place, the code, what is wrong and what to do."""
        place = f"{self.origin}: " if self.origin else ""
        return f"{place}{self.severity} {self.code}: {self.message}" + (f" {self.hint}" if self.hint else "")


class Rejected(Exception):
    """The input was rejected; `diagnostics` holds every reason found, once, in source order."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(dict.fromkeys(diagnostics))  # what stands for several rules is found in each
        super().__init__(self.diagnostics)  # what it is made of again on the other side of a process

    def __str__(self) -> str:
        return "\n".join(map(str, self.diagnostics))


def refuse_warnings(findings: Iterable[Diagnostic]) -> None:
    """Where warnings are not to be lived with they are errors; notes stay notes."""
    refused = [replace(one, severity=Severity.ERROR) for one in findings if one.severity is not Severity.NOTE]
    if refused:
        raise Rejected(refused)
