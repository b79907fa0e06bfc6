"""The on-disk cache of compiled kernels, quick to load.

numba gets its compiler ready before it looks whether the code is there, parses the intermediate code of every function
it loads, and imports the modules of all functions that were inlined. Code that is only to be run needs none of this.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from llvmlite import binding as llvm
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.runtime import _nrt_python as runtime  # type: ignore[attr-defined]

# numba carries no types for all this: `Any` is its compile results, libraries and contexts.


class LoadedLibrary(JITCodeLibrary):
    """Object code from the cache; its intermediate code is parsed when something new is compiled that calls it."""

    def __init__(self, codegen: Any, name: str, object_code: bytes, bitcode: bytes, symbols: frozenset[str]) -> None:
        super().__init__(codegen, name)  # type: ignore[no-untyped-call]
        self._bitcode = bitcode
        self.enable_object_caching()  # type: ignore[no-untyped-call]
        self._set_compiled_object(object_code)  # type: ignore[no-untyped-call]
        self._finalize_final_module()  # type: ignore[no-untyped-call]
        codegen._engine._defined_symbols |= symbols

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = llvm.parse_bitcode(self._bitcode)
        return self._shared_module


class KernelLocator(UserProvidedCacheLocator):
    """The same place for the same sources, wherever the package is installed: numba would tell its copies apart."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        return Path(py_file).parent.name


class KernelResults(CompileResultCacheImpl):
    """What is kept of a compiled kernel: the result as numba reduces it, and the symbols that its code defines."""

    _locator_classes = [KernelLocator]  # noqa: RUF012 (numba calls it a list)

    def reduce(self, result: Any) -> Any:
        libdata, *rest, environments = result._reduce()
        name, _, (object_code, bitcode) = libdata
        shared = result.library._get_module_for_linking()
        defined = (*shared.functions, *shared.global_variables)
        symbols = frozenset(value.name for value in defined if not value.is_declaration)
        # An environment is read for its constants only.
        return (name, object_code, bitcode, symbols), *rest, tuple(env for env in environments if env.consts)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        libdata, fndesc, env, signature, objectmode, lifted, annotation, initialisers, environments = payload
        for initialise in initialisers:
            initialise()
        codegen = target_context.codegen()
        library = LoadedLibrary(codegen, *libdata)
        for other in environments:
            codegen.set_env(other.env_name, other)
        result: Any = CompileResult
        return result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=target_context.get_executable(library, fndesc, env),
            typing_error=None,
            type_annotation=annotation,
            signature=signature,
            objectmode=objectmode,
            lifted=lifted,
            fndesc=fndesc,
            library=library,
            call_helper=None,
            environment=env,
            metadata=None,
            reload_init=initialisers,
            referenced_envs=environments,
        )


class KernelCache(FunctionCache):
    """The cache of one kernel."""

    _impl_class = KernelResults
    _begun = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if not KernelCache._begun:
            _provide_runtime()
            KernelCache._begun = True
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]


def _provide_runtime() -> None:
    """What loaded code calls to allocate; numba would compile its counting of references too, which it has inside."""
    for name, address in runtime.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
