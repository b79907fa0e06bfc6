"""How a function becomes a kernel: compiled with numba, without the interpreter's objects, and kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core.types import unliteral

from larspark.kernels.loading import KernelCache

FunctionT = TypeVar("FunctionT", bound=Callable[..., object])


def kernel(function: FunctionT) -> FunctionT:
    """Its compiled code is loaded on the first call; whoever runs kernels first makes sure that it is there."""
    compiled: Any = numba.njit(function, no_cfunc_wrapper=True)  # type: ignore[call-overload]
    compiled._cache = KernelCache(function)
    resolve = compiled.get_call_template

    def resolve_plainly(arguments: Any, keywords: Any) -> Any:
        # numba would compile a kernel once more for each constant that another kernel calls it with.
        plain = {name: unliteral(kind) for name, kind in keywords.items()}  # type: ignore[no-untyped-call]
        return resolve(tuple(map(unliteral, arguments)), plain)

    compiled.get_call_template = resolve_plainly
    return cast(FunctionT, compiled)


def inlined(function: FunctionT) -> FunctionT:
    """A small part of kernels, put into each place of use: a call inside a loop counts references to its arrays."""
    return cast(FunctionT, numba.njit(inline="always")(function))
