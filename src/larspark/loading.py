"""Importing quickly."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType


def load(module: str) -> ModuleType:
    """Import a module while the garbage collector rests.

    Importing makes many objects that all stay, and the collector would look through them again and again: a tenth of
    the time to the first answer.
    """
    with without_collector():
        return importlib.import_module(module)


@contextmanager
def without_collector() -> Iterator[None]:
    """While many objects are made that all stay; also a decorator."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class _NoPandas:
    """Says that there is no pandas."""

    def find_spec(self, name: str, _: Sequence[str] | None = None, __: ModuleType | None = None) -> ModuleSpec | None:
        if name == "pandas":
            raise ModuleNotFoundError(name, name=name)
        return None


def load_arrow_alone() -> None:
    """Import pyarrow for a process that has no frames of pandas.

    With its first array pyarrow imports pandas, to know a frame when it meets one: a quarter of the time to the first
    answer. When it finds none it does not look again.
    """
    if "pandas" in sys.modules:
        return
    missing = _NoPandas()
    sys.meta_path.insert(0, missing)
    try:
        load("pyarrow").array([0])
    finally:
        sys.meta_path.remove(missing)
