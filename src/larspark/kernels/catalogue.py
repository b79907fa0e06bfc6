"""All kernels by name, and which of them call which: what there is to compile, and what has to be there before."""

from __future__ import annotations

import dis
import importlib
from collections.abc import Iterator
from types import CodeType
from typing import Any

from numba.core.dispatcher import Dispatcher

from larspark.kernels.target import sources


def names() -> list[str]:
    """`module.function` of every kernel."""
    return [name for module in sources() for name in _of_module(module)]


def _of_module(module: str) -> Iterator[str]:
    for value in vars(importlib.import_module(module)).values():
        if isinstance(value, Dispatcher) and value.py_func.__module__ == module and not _is_inlined(value):
            yield _name(value)


def kernel_named(name: str) -> Any:
    """The dispatcher, as numba calls it."""
    stem, _, function = name.partition(".")
    module = next(one for one in sources() if one.endswith(f".{stem}"))
    return getattr(importlib.import_module(module), function)


def called_by(name: str) -> set[str]:
    """The kernels that a kernel calls."""
    return {_name(one) for one in _used(kernel_named(name)) if not _is_inlined(one)}


def length(name: str) -> int:
    """How much there is to compile, roughly."""
    kernel = kernel_named(name)
    parts = (kernel, *(one for one in _used(kernel) if _is_inlined(one)))
    return sum(len(part.py_func.__code__.co_code) for part in parts)


def _used(dispatcher: Any) -> Iterator[Any]:
    """The kernels in the code of one, and in what is put into it, as often as they occur."""
    for code in _codes(dispatcher.py_func.__code__):
        for instruction in dis.get_instructions(code):
            used = dispatcher.py_func.__globals__.get(instruction.argval) if "GLOBAL" in instruction.opname else None
            if isinstance(used, Dispatcher):
                yield used
                if _is_inlined(used):
                    yield from _used(used)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _name(dispatcher: Any) -> str:
    function = dispatcher.py_func
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def _is_inlined(dispatcher: Any) -> bool:
    return bool(dispatcher.targetoptions.get("inline") == "always")
