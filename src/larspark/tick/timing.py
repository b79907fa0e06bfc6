"""When output is written: the values of `--outputEvery` (thesis Table 7.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from larspark.diagnostics import Diagnostic, Rejected
from larspark.language.tree import Duration
from larspark.runtime.durations import positive_duration


@dataclass(frozen=True)
class OnChange:
    """Whenever the filtered output changed, judged after every signal and every time point."""


@dataclass(frozen=True)
class EverySignals:
    """After every `number`-th signal, counted across time points."""

    number: int


@dataclass(frozen=True)
class EveryPoints:
    """At every `number`-th time point after the first, when all its signals are in."""

    number: int


Timing: TypeAlias = OnChange | EverySignals | EveryPoints


def is_push(timing: Timing) -> bool:
    """Is every single signal evaluated (push), or only what is written (pull)? (thesis sec. 7.3.2)"""
    return timing in (OnChange(), EverySignals(1))


def read_timing(text: str, clock: Duration) -> Timing:
    """A timing from the command line; `Rejected` when it is none."""
    match text:
        case "change":
            return OnChange()
        case "signal":
            return EverySignals(1)
        case "time":
            return EveryPoints(1)
    if (match := re.match(r"(\d+)\s*signals?\Z", text)) and int(match[1]) > 0:
        return EverySignals(int(match[1]))
    length = positive_duration(text)
    number, rest = divmod(length.milliseconds, clock.milliseconds)
    if rest:
        message = f"Output every {text} does not fit the clock of {clock.amount} {clock.unit}."
        raise Rejected([Diagnostic("E301", message, "Choose a multiple of the clock.")])
    return EveryPoints(number)
