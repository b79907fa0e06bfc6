"""Compiled kernels from disk, quick to load.

numba gets its compiler ready before it looks whether the code is there, parses the intermediate code of every function
it loads, and imports the modules of all functions that were inlined. Code that is only to be run needs none of this.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from typing import Any

from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.runtime import _nrt_python as runtime  # type: ignore[attr-defined]
from numba.core.serialize import dumps

from larspark.kernels import linking, store
from larspark.kernels.target import CPU

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


class KernelCache:
    """The compiled code of one kernel, a file for each signature. To numba it is the cache of a dispatcher."""

    _begun = False

    def __init__(self, function: Callable[..., object]) -> None:
        self._name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        self._code = function.__code__.co_code

    @property
    def cache_path(self) -> str:
        return str(store.own_folder())

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Code for the baseline of the platform, else code that was compiled for this very machine."""
        if not KernelCache._begun:
            _provide_runtime()
            KernelCache._begun = True
        for cpu in (CPU, target_context.codegen()._get_host_cpu_name()):
            result = _loaded(self._file(signature, cpu), target_context)
            if result is not None:
                return result
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        if not result.lifted and not result.library.has_dynamic_globals:
            file = self._file(signature, result.target_context.codegen()._get_host_cpu_name())
            store.write(file, dumps(reduced(result, file)))  # type: ignore[no-untyped-call]
            _results[file] = result

    def _file(self, signature: Any, cpu: str) -> str:
        digest = hashlib.sha256(f"{signature} {cpu} {self._code!r}".encode()).hexdigest()[:12]
        return f"{self._name}.{digest}"


_results: dict[str, Any] = {}
"""What this process has loaded or compiled, by file: an object is loaded once, its symbols belong to all."""


def _loaded(file: str, target_context: Any) -> Any:
    """The kernel of a file, after those that it calls; none if one of them is missing, or is not the one it knew."""
    if file not in _results:
        content = store.read(file)
        if content is None:
            return None
        called, *payload = pickle.loads(content)
        for other, symbol in called:
            result = _loaded(other, target_context)
            if result is None or result.fndesc.mangled_name != symbol:
                return None
        _results[file] = rebuild(target_context, file, payload)
    return _results[file]


def reduced(result: Any, file: str) -> Any:
    """What is kept of a compiled kernel: the result as numba reduces it, what it calls, the symbols that it defines."""
    apart = linking.set_apart(result.library, result.fndesc.mangled_name, file)
    libdata, *rest, environments = result._reduce()
    name, _, (object_code, bitcode) = libdata
    module = result.library._final_module
    defined = (*module.functions, *module.global_variables)
    symbols = frozenset(value.name for value in defined if not value.is_declaration)
    kept = (name, object_code, bitcode, symbols)
    # An environment is read for its constants only.
    constants = tuple(env for env in environments if env.consts)
    return linking.called(result.library), apart, kept, *rest, constants


def rebuild(target_context: Any, file: str, payload: Any) -> Any:
    """The result, ready to be called."""
    apart, libdata, fndesc, env, signature, objectmode, lifted, annotation, initialisers, environments = payload
    if apart:
        linking.know(fndesc.mangled_name, file)
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


def _provide_runtime() -> None:
    """What loaded code calls to allocate; numba would compile its counting of references too, which it has inside."""
    for name, address in runtime.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
