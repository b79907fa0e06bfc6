"""What this process and all processes below it have used: Spark works in a Java and in Pythons of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from larspark.bench.measuring.process import peak_bytes

_TICK = os.sysconf("SC_CLK_TCK")
_PARENT, _USED = 1, slice(11, 15)
"""Fields of `/proc/…/stat` behind the name: the times are those of the process and of its ended children."""


def cpu_of_tree() -> float:
    """Seconds so far, those of processes that have ended included."""
    fields = processes()
    return sum(sum(map(int, fields[one][_USED])) for one in _below(os.getpid(), fields)) / _TICK


def peak_of_tree() -> int:
    """Bytes: the largest resident sizes of all processes together, though they need not have come at the same time."""
    return sum(peak_bytes(one) for one in _below(os.getpid(), processes()))


def processes() -> dict[int, list[str]]:
    """All there are, with the fields of `/proc/…/stat` behind the name; none where there is no such folder."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            fields = (place / "stat").read_text("utf-8", "replace").rsplit(")", 1)[1].split()
        except OSError:  # it has ended in the meantime
            continue
        found[int(place.name)] = fields
    return found


def _below(root: int, fields: Mapping[int, list[str]]) -> list[int]:
    children: dict[int, list[int]] = {}
    for number, found in fields.items():
        children.setdefault(int(found[_PARENT]), []).append(number)
    reached = [root]
    for one in reached:
        reached.extend(children.get(one, ()))
    return reached
