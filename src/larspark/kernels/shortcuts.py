"""Shortcuts through numba while kernels are compiled: they give the same code in less time.

They lean on insides of the numba that `pyproject.toml` pins, and are taken by the processes of `compile.py` alone.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.codegen import JITCodeLibrary
from numba.core.inline_closurecall import InlineWorker
from numba.core.targetconfig import TargetConfig


def take_all() -> None:
    JITCodeLibrary._optimize_functions = _leave  # type: ignore[method-assign]
    InlineWorker.run_untyped_passes = _kept(InlineWorker.run_untyped_passes)  # type: ignore[method-assign]
    ir.Scope.__deepcopy__ = _copied_scope  # type: ignore[attr-defined]
    ir.Loc.__deepcopy__ = _same  # type: ignore[attr-defined]
    ir.Var.__deepcopy__ = _same  # type: ignore[method-assign]
    TargetConfig.__hash__ = _hash_of_settings  # type: ignore[method-assign]
    TargetConfig.__eq__ = _equal_settings  # type: ignore[method-assign]


def _leave(library: Any, module: Any) -> None:
    """numba optimises each function, and then the module with all it calls; the second alone gives the same code."""
    module.data_layout = library._codegen._data_layout


def _kept(run_untyped_passes: Any) -> Any:
    """What is put into each place of use is read once, not once for each; numba copies it before it changes it."""
    results: dict[tuple[Any, bool], Any] = {}

    def run(worker: Any, function: Any, enable_ssa: bool = False) -> Any:
        worker.flags.enable_ssa = enable_ssa
        if (function, enable_ssa) not in results:
            results[function, enable_ssa] = run_untyped_passes(worker, function, enable_ssa)
        result = results[function, enable_ssa].copy()
        result.func_id = result.func_id.derive()  # its variables get names of their own in each place
        return result

    return run


def _copied_scope(scope: Any, memo: dict[int, Any]) -> Any:
    """numba copies all variables of a function with each of its blocks, though it only ever replaces them."""
    copied = ir.Scope(scope.parent, scope.loc)  # type: ignore[no-untyped-call]
    copied.localvars._con.update(scope.localvars._con)
    copied.redefined.update(scope.redefined)
    copied.var_redefinitions.update({name: set(names) for name, names in scope.var_redefinitions.items()})
    memo[id(scope)] = copied
    return copied


def _same(value: Any, _: dict[int, Any]) -> Any:
    return value


def _hash_of_settings(config: TargetConfig) -> int:
    return hash(frozenset(config._values))


def _equal_settings(config: TargetConfig, other: object) -> bool:
    """By what was set; numba compares some forty values, defaults included, for every call that it types."""
    return config is other or (isinstance(other, TargetConfig) and config._values == other._values)
