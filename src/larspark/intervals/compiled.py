"""How a function becomes a kernel: compiled with numba, without the interpreter's objects, and kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar, cast

import numba
from numba.core.types import unliteral

from larspark.kernels.loading import KernelCache
from larspark.kernels.passes import KernelCompiler

FunctionT = TypeVar("FunctionT", bound=Callable[..., object])


def kernel(function: FunctionT) -> FunctionT:
    """Its compiled code is loaded on the first call; whoever runs kernels first makes sure that it is there."""
    return cast(FunctionT, _compiled(function, no_cfunc_wrapper=True))


def inner_kernel(function: FunctionT) -> FunctionT:
    """A kernel that only other kernels call: what lets Python call one takes a fifth of the time of compiling."""
    compiled = _compiled(function, no_cfunc_wrapper=True, no_cpython_wrapper=True)

    def refuse(*_: object, **__: object) -> NoReturn:
        raise TypeError(f"only kernels can call {function.__name__}; make it a `kernel` to call it from Python")

    compiled._insert = lambda *_: None  # numba does not know code that Python could call, and asks for it
    compiled._compile_for_args = refuse
    return cast(FunctionT, compiled)


def direct(function: FunctionT, *kinds: str) -> FunctionT:
    """A kernel for one kind of arguments, named as numba does: numba looks at each argument of each call otherwise."""
    compiled: Any = function
    compiled.compile(tuple(getattr(numba.types, kind) for kind in kinds))
    return cast(FunctionT, next(iter(compiled.overloads.values())).entry_point)


def inlined(function: FunctionT) -> FunctionT:
    """A small part of kernels, put into each place of use: a call inside a loop counts references to its arrays."""
    return cast(FunctionT, numba.njit(inline="always")(function))


def _compiled(function: Callable[..., object], **options: bool) -> Any:
    compiled: Any = numba.njit(function, pipeline_class=KernelCompiler, **options)  # type: ignore[call-overload]
    compiled._cache = KernelCache(function)
    resolve = compiled.get_call_template

    def resolve_plainly(arguments: Any, keywords: Any) -> Any:
        # numba would compile a kernel once more for each constant that another kernel calls it with.
        plain = {name: unliteral(kind) for name, kind in keywords.items()}  # type: ignore[no-untyped-call]
        return resolve(tuple(map(unliteral, arguments)), plain)

    compiled.get_call_template = resolve_plainly
    return compiled
