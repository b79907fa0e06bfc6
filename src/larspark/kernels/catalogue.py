"""All kernels by name: what there is to compile, what takes longest first."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from numba.core.dispatcher import Dispatcher

from larspark.kernels.target import SOURCES

LONG = ("machine.run", "table.absorb", "sweep.sweep_at", "watch.settle", "boxes.full_windows", "step.follow")
"""Taken first, each with the kernels that it calls; where several processes compile, none of these is left for last."""


def names() -> list[str]:
    """`module.function` of every kernel."""
    found = [name for path in sorted(SOURCES.glob("*.py")) for name in _of_module(path.stem)]
    return [*LONG, *(name for name in found if name not in LONG)]


def _of_module(stem: str) -> Iterator[str]:
    module = importlib.import_module(f"larspark.intervals.{stem}")
    for name, value in vars(module).items():
        if isinstance(value, Dispatcher) and value.py_func.__module__ == module.__name__ and not _is_inlined(value):
            yield f"{stem}.{name}"


def _is_inlined(dispatcher: Any) -> bool:
    return bool(dispatcher.targetoptions.get("inline") == "always")


def kernel_named(name: str) -> Any:
    """The dispatcher, as numba calls it."""
    stem, _, function = name.partition(".")
    return getattr(importlib.import_module(f"larspark.intervals.{stem}"), function)
