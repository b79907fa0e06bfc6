"""All kernels by name: what there is to compile, what takes longest first."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from numba.core.dispatcher import Dispatcher

from larspark.kernels.target import sources

LONG = ("machine.run", "table.absorb", "sweep.sweep_at", "watch.settle", "boxes.full_windows", "step.follow")
"""Taken first, each with the kernels that it calls; where several processes compile, none of these is left for last."""


def names() -> list[str]:
    """`module.function` of every kernel."""
    found = [name for module in sources() for name in _of_module(module)]
    return [*LONG, *(name for name in found if name not in LONG)]


def _of_module(module: str) -> Iterator[str]:
    for name, value in vars(importlib.import_module(module)).items():
        if isinstance(value, Dispatcher) and value.py_func.__module__ == module and not _is_inlined(value):
            yield f"{module.rpartition('.')[2]}.{name}"


def _is_inlined(dispatcher: Any) -> bool:
    return bool(dispatcher.targetoptions.get("inline") == "always")


def kernel_named(name: str) -> Any:
    """The dispatcher, as numba calls it."""
    stem, _, function = name.partition(".")
    module = next(one for one in sources() if one.endswith(f".{stem}"))
    return getattr(importlib.import_module(module), function)
