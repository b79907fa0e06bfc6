"""One finding about an input, and the exception that carries findings to the caller."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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


class Rejected(Exception):
    """The input was rejected; `diagnostics` holds every reason found, in source order."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"{d.origin}: {d.message}" if d.origin else d.message for d in self.diagnostics))
