"""Window functions, one file each: what it selects, how it is written, and what all others ask about it.

The judge (`semantics/windows.py`) has definitions of its own.
"""

from __future__ import annotations

from typing import TypeAlias

from larspark.language.windows.filter import FilterWindow, Pattern
from larspark.language.windows.interval import IntervalWindow
from larspark.language.windows.keyed import Keyed, KeyedWindow
from larspark.language.windows.partition import PartitionWindow
from larspark.language.windows.registered import RegisteredWindow
from larspark.language.windows.session import SessionWindow
from larspark.language.windows.time import HALF_OPEN, TimeWindow
from larspark.language.windows.tuple import TupleWindow
from larspark.language.windows.window import WindowNode

Window: TypeAlias = (
    TimeWindow | TupleWindow | PartitionWindow | SessionWindow | FilterWindow | IntervalWindow | RegisteredWindow
)

__all__ = [
    "HALF_OPEN",
    "FilterWindow",
    "IntervalWindow",
    "Keyed",
    "KeyedWindow",
    "PartitionWindow",
    "Pattern",
    "RegisteredWindow",
    "SessionWindow",
    "TimeWindow",
    "TupleWindow",
    "Window",
    "WindowNode",
]
